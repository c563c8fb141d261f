import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "../service.ts";
import { DOCS_PATH } from "./docs-folder.ts";
import { OPENAPI_PATH, resourceTexts } from "./resource-texts.ts";

/** No script, nothing from elsewhere: the pages are text, and their icon stands in them. */
const PAGE_POLICY =
  "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
  "\r\nX-Content-Type-Options: nosniff";

/**
 * What is served without a key: the OpenAPI document and the documentation. Each is made and encoded once, by a thread
 * some time after the start, or here where it is wanted before: together they take as long as a server takes to start.
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
    // Who opens the bare address in a browser wants to know what this is.
    this.byPath = new Map(this.#made).set("/", this.#made.get(DOCS_PATH)!); // a path of `resourceTexts`
  }

  /**
   * Makes what was not wanted yet on a thread of its own, which does not keep the process alive. It runs the
   * built `resources-worker.js`; from sources (tests) nothing is made before it is wanted.
   */
  async prepare(): Promise<void> {
    if (!import.meta.url.endsWith(".js")) return;
    const file = fileURLToPath(new URL("./resources-worker.js", import.meta.url));
    const thread = new Worker(file, { workerData: this.#publicUrl });
    thread.unref();
    thread.on("message", ([path, text]: [string, string]) => this.#made.get(path)?.take(text));
    await once(thread, "exit"); // rejects where the thread fails
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

  /** The text, made elsewhere. */
  take(text: string): SharedBody {
    return (this.body ??= new SharedBody(text));
  }

  async #make(): Promise<SharedBody> {
    try {
      return this.take(await this.#text());
    } catch (error) {
      this.#making = undefined; // tried again by the next who wants it
      throw error;
    }
  }
}
