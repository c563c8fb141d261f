import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SEARCH_PATH } from "../pages/docs-folder.ts";
import { PAGE_POLICY } from "../pages/page-policy.ts";
import { searchPage } from "../pages/search-page.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import { madeOnce, type OpenResource } from "../requests/route-table.ts";
import { libraryFor, resourceTexts, SEARCH_INDEX_PATH } from "./resource-texts.ts";

const DOCUMENT = { contentType: JSON_TYPE };
const PAGE = { contentType: HTML_TYPE, headers: PAGE_POLICY };

/**
 * What is served without a key: the OpenAPI document and the documentation. Each text is made once: by a thread some
 * time after the start, or here if it is requested earlier. Making all of them takes longer than starting a server.
 */
export class OpenResources {
  readonly byPath: ReadonlyMap<string, OpenResource>;
  /** By path: what the thread has made. */
  readonly #texts = new Map<string, string>();
  readonly #publicUrl: string;

  constructor(endpoints: readonly Endpoint[], publicUrl: string) {
    this.#publicUrl = publicUrl;
    const library = libraryFor(endpoints);
    const makers = resourceTexts(endpoints, publicUrl, library);
    const textAt = async (path: string) => this.#texts.get(path) ?? (await makers.get(path)!()); // it has the path
    const resources = Array.from(makers.keys(), (path) => {
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
    const thread = new Worker(file, { workerData: this.#publicUrl });
    thread.unref();
    thread.on("message", ([path, text]: [string, string]) => this.#texts.set(path, text));
    await once(thread, "exit"); // rejects if the thread fails
  }
}
