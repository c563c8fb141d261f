import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { JSON_TYPE } from "../http/reply.ts";
import {
  DOCS_PATH,
  docsFolder,
  OPENAPI_PATH,
  SEARCH_INDEX_PATH,
  SEARCH_PATH,
} from "../pages/docs-folder.ts";
import { pathsOf, readLibrary } from "../pages/library.ts";
import { PAGE } from "../pages/page-type.ts";
import { searchPage } from "../pages/search-page.ts";
import { madeOnce, type OpenResource } from "../requests/route-table.ts";
import { operationNames } from "./operation-names.ts";
import type { TextsToMake } from "./resources-worker.ts";

const DOCUMENT = { contentType: JSON_TYPE };

/**
 * What is served without a key: the OpenAPI document and the documentation. Each text is made once: by a thread some
 * time after the start, or here if it is requested earlier. Making all of them takes longer than starting a server.
 */
export class OpenResources {
  readonly byPath: ReadonlyMap<string, OpenResource>;
  /** By path: what the thread has made. */
  readonly #texts = new Map<string, string>();
  readonly #toMake: TextsToMake;

  constructor(publicUrl: string) {
    const library = readLibrary(docsFolder(), operationNames());
    const paths = [OPENAPI_PATH, SEARCH_INDEX_PATH, DOCS_PATH, ...pathsOf(library)];
    this.#toMake = { library, publicUrl, paths };
    let maker: Promise<(path: string) => string> | undefined;
    const load = async () => {
      const { resourceTexts } = await import("./resource-texts.ts");
      return resourceTexts(library, publicUrl);
    };
    const textAt = async (path: string) =>
      this.#texts.get(path) ?? (await (maker ??= load()))(path);
    const resources = paths.map((path) => {
      const about = path.endsWith(".json") ? DOCUMENT : PAGE;
      return [path, madeOnce(about, () => textAt(path))] as const;
    });
    this.byPath = new Map<string, OpenResource>([
      ...resources,
      [SEARCH_PATH, { ...PAGE, body: searchPage(library, () => textAt(SEARCH_INDEX_PATH)) }],
    ]);
  }

  /** Makes all texts on a thread that does not keep the process alive. From sources (tests) there is none. */
  async prepare(): Promise<void> {
    if (!import.meta.url.endsWith(".js")) return;
    const file = fileURLToPath(new URL("./resources-worker.js", import.meta.url));
    const thread = new Worker(file, { workerData: this.#toMake });
    thread.unref();
    thread.on("message", ([path, text]: [string, string]) => this.#texts.set(path, text));
    await once(thread, "exit"); // rejects if the thread fails
  }
}
