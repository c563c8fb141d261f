import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "../requests/route-table.ts";
import { OPENAPI_PATH, resourceTexts } from "./resource-texts.ts";

/** No scripts and nothing from elsewhere: the pages are text, and their icon is part of them. */
const PAGE_POLICY =
  "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What is served without a key: the OpenAPI document and the documentation. Each resource is made and encoded
 * once: by a thread some time after the start, or here if somebody wants it earlier. Making all of them takes
 * as long as starting a server.
 */
export class OpenResources {
  readonly byPath: ReadonlyMap<string, OpenResource>;
  readonly #made = new Map<string, MadeOnce>();
  readonly #publicUrl: string;

  constructor(endpoints: readonly Endpoint[], publicUrl: string) {
    this.#publicUrl = publicUrl;
    for (const [path, text] of resourceTexts(endpoints, publicUrl)) {
      const made =
        path === OPENAPI_PATH
          ? new MadeOnce(JSON_TYPE, text)
          : new MadeOnce(HTML_TYPE, text, PAGE_POLICY);
      this.#made.set(path, made);
    }
    this.byPath = this.#made;
  }

  /**
   * Makes what was not requested yet on a thread of its own, which does not keep the process alive. The
   * thread runs the built `resources-worker.js`. From sources (tests) there is none, and resources are made
   * on request.
   */
  async prepare(): Promise<void> {
    if (!import.meta.url.endsWith(".js")) return;
    const file = fileURLToPath(new URL("./resources-worker.js", import.meta.url));
    const thread = new Worker(file, { workerData: this.#publicUrl });
    thread.unref();
    thread.on("message", ([path, text]: [string, string]) => this.#made.get(path)?.take(text));
    await once(thread, "exit"); // rejects if the thread fails
  }
}

class MadeOnce implements OpenResource {
  readonly contentType: string;
  readonly headers: string;
  body: SharedBody | undefined = undefined;
  readonly #text: () => Promise<string>;
  #making: Promise<SharedBody> | undefined = undefined;

  constructor(contentType: string, text: () => Promise<string>, headers = "") {
    this.contentType = contentType;
    this.headers = headers;
    this.#text = text;
  }

  make(): Promise<SharedBody> {
    return (this.#making ??= this.#make());
  }

  /** Takes over a text made elsewhere. */
  take(text: string): SharedBody {
    return (this.body ??= new SharedBody(text));
  }

  async #make(): Promise<SharedBody> {
    try {
      return this.take(await this.#text());
    } catch (error) {
      this.#making = undefined; // the next one who asks tries again
      throw error;
    }
  }
}
