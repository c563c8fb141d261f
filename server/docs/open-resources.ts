import { setImmediate } from "node:timers/promises";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "../service.ts";
import { DOCS_PATH, docsFolder, pageNames, pathOfPage } from "./docs-folder.ts";

/** No script, nothing from elsewhere: the pages are text. */
const PAGE_POLICY =
  "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
  "\r\nX-Content-Type-Options: nosniff";

/**
 * What is served without a key: the OpenAPI document and the documentation. Each is made and encoded once, when it is
 * first wanted, and the code that makes it is loaded then: together they would be a third of the time a server takes
 * to start.
 */
export function openResources(
  endpoints: readonly Endpoint[],
  publicUrl: string,
): ReadonlyMap<string, OpenResource> {
  const documentText = async () => {
    const { openApiDocument } = await import("./openapi.ts");
    return JSON.stringify(openApiDocument(endpoints, publicUrl));
  };
  const resources = new Map<string, OpenResource>([
    ["/openapi.json", new MadeOnce(JSON_TYPE, documentText)],
  ]);
  const folder = docsFolder();
  for (const path of [DOCS_PATH, ...pageNames(folder).map(pathOfPage)]) {
    resources.set(path, new MadeOnce(HTML_TYPE, () => pageText(folder, path), PAGE_POLICY));
  }
  // Who opens the bare address in a browser wants to know what this is.
  return resources.set("/", resources.get(DOCS_PATH)!); // set above
}

/** Makes what was not wanted yet, one a turn, so that nobody has to wait for it. */
export async function prepareResources(resources: Iterable<OpenResource>): Promise<void> {
  for (const resource of resources) {
    await setImmediate();
    await resource.make();
  }
}

async function pageText(folder: string, path: string): Promise<string> {
  const { renderPages } = await import("./pages.ts");
  const page = renderPages(folder).find((each) => each.path === path);
  if (page === undefined) throw new Error(`the page ${path} is gone`);
  return page.html;
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

  async #make(): Promise<SharedBody> {
    try {
      this.body = new SharedBody(await this.#text());
      return this.body;
    } catch (error) {
      this.#making = undefined; // tried again by the next who wants it
      throw error;
    }
  }
}
