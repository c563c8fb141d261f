import { Worker } from "node:worker_threads";
import { JSON_TYPE } from "../http/reply.ts";
import type { Doc } from "../pages/library.ts";
import { PAGE } from "../pages/page-type.ts";
import { builtFile } from "../package-folder.ts";
import { ThreadPages, type PageMaker } from "../pages/thread-pages.ts";
import type { OpenResource } from "../requests/route-table.ts";
import type { TextsToMake } from "./resources-worker.ts";
import { openPaths } from "./served-library.ts";

const DOCUMENT = { contentType: JSON_TYPE };

/** A thread's documentation for a server that clients reach at `publicUrl`. */
export function documentation(library: readonly Doc[], publicUrl: string): ThreadPages {
  const start = (paths: readonly string[]) =>
    new Worker(builtFile("resources-worker"), {
      workerData: { publicUrl, paths } satisfies TextsToMake,
    });
  return new ThreadPages(openPaths(library), start);
}

/** The resources by path. */
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
