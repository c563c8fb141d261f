import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import { madeOnce, type OpenResource } from "../requests/route-table.ts";
import { OPENAPI_PATH, resourceTexts } from "./resource-texts.ts";

/** No scripts and nothing from elsewhere: the pages are text, and their icon is part of them. */
const PAGE_POLICY =
  "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DOCUMENT = { contentType: JSON_TYPE };
const PAGE = { contentType: HTML_TYPE, headers: PAGE_POLICY };

/**
 * What is served without a key: the OpenAPI document and the documentation. Each text is made once: by a thread some
 * time after the start, or here if it is requested earlier. Making all of them takes as long as starting a server.
 */
export class OpenResources {
  readonly byPath: ReadonlyMap<string, OpenResource>;
  /** By path: what the thread has made. */
  readonly #texts = new Map<string, string>();
  readonly #publicUrl: string;

  constructor(endpoints: readonly Endpoint[], publicUrl: string) {
    this.#publicUrl = publicUrl;
    const resources = Array.from(resourceTexts(endpoints, publicUrl), ([path, make]) => {
      const about = path === OPENAPI_PATH ? DOCUMENT : PAGE;
      return [path, madeOnce(about, () => this.#texts.get(path) ?? make())] as const;
    });
    this.byPath = new Map(resources);
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
