import { Worker } from "node:worker_threads";
import type { OperatorLinks } from "../../web/layout.tsx";
import { JSON_TYPE } from "../http/reply.ts";
import { type Doc, pathsOf, readLibrary } from "../pages/library.ts";
import { PAGE } from "../pages/page-type.ts";
import { builtFile } from "../package-folder.ts";
import { ThreadPages, type PageMaker } from "../pages/thread-pages.ts";
import type { OpenResource } from "../requests/site.ts";
import {
  DOCS_PATH,
  docsFolder,
  OPENAPI_PATH,
  SEARCH_INDEX_PATH,
  SEARCH_PATH,
} from "../pages/docs-folder.ts";
import { operationNames } from "./operation-names.ts";

/** What the thread that makes the documentation is started with. */
export interface TextsToMake {
  readonly publicUrl: string;
  readonly paths: readonly string[];
  readonly operator: OperatorLinks;
}

const DOCUMENT = { contentType: JSON_TYPE };

/** The documentation for a server that clients reach at `publicUrl`, made by a thread. */
export function documentation(
  library: readonly Doc[],
  publicUrl: string,
  operator: OperatorLinks = {},
): ThreadPages {
  const start = (paths: readonly string[]) =>
    new Worker(builtFile("resources-worker"), {
      workerData: { publicUrl, paths, operator } satisfies TextsToMake,
    });
  return new ThreadPages(openPaths(library), start);
}

export function keylessResources(
  paths: readonly string[],
  maker: PageMaker,
): ReadonlyMap<string, OpenResource> {
  return new Map(
    paths.map((path) => {
      const about = path.endsWith(".json") ? DOCUMENT : PAGE;
      return [path, { ...about, body: () => maker.body(path) }];
    }),
  );
}

export function servedLibrary(): readonly Doc[] {
  return readLibrary(docsFolder(), operationNames());
}

/** The paths that are served without a key and without a snapshot: the OpenAPI document and the documentation. */
export function openPaths(library: readonly Doc[]): readonly string[] {
  return [OPENAPI_PATH, DOCS_PATH, ...pathsOf(library), SEARCH_PATH, SEARCH_INDEX_PATH];
}
