import { setImmediate } from "node:timers/promises";
import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "../service.ts";
import { openApiDocument } from "./openapi.ts";
import { PAGE_POLICY } from "./page-html.ts";
import { docsFolder, renderPages } from "./pages.ts";

/**
 * What is served without a key: the OpenAPI document and the documentation. Each is made and encoded once, when it is
 * first wanted: together they would be a third of the time a server takes to start.
 */
export function openResources(
  endpoints: readonly Endpoint[],
  publicUrl: string,
): ReadonlyMap<string, OpenResource> {
  const documentText = () => JSON.stringify(openApiDocument(endpoints, publicUrl));
  const resources = new Map<string, OpenResource>([
    ["/openapi.json", new MadeOnce(JSON_TYPE, documentText)],
  ]);
  for (const page of renderPages(docsFolder())) {
    resources.set(page.path, new MadeOnce(HTML_TYPE, () => page.html, PAGE_POLICY));
  }
  return resources;
}

/** Makes what was not wanted yet, one a turn, so that nobody has to wait for it. */
export async function prepareResources(resources: Iterable<OpenResource>): Promise<void> {
  for (const resource of resources) {
    await setImmediate();
    if (resource.body.beginningBytes === 0) throw new Error("an empty page");
  }
}

class MadeOnce implements OpenResource {
  readonly contentType: string;
  readonly headers: string;
  readonly #text: () => string;
  #body: SharedBody | undefined = undefined;

  constructor(contentType: string, text: () => string, headers = "") {
    this.contentType = contentType;
    this.headers = headers;
    this.#text = text;
  }

  get body(): SharedBody {
    return (this.#body ??= new SharedBody(this.#text()));
  }
}
