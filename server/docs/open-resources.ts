import { HTML_TYPE, JSON_TYPE } from "../http/reply.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { OpenResource } from "../service.ts";
import { openApiDocument } from "./openapi.ts";
import { PAGE_POLICY } from "./page-html.ts";
import { docsFolder, renderPages } from "./pages.ts";

/** What is served without a key: the OpenAPI document and the documentation, encoded once. */
export function openResources(
  endpoints: readonly Endpoint[],
  publicUrl: string,
): ReadonlyMap<string, OpenResource> {
  const document = JSON.stringify(openApiDocument(endpoints, publicUrl));
  const resources = new Map<string, OpenResource>([
    ["/openapi.json", { contentType: JSON_TYPE, body: new SharedBody(document) }],
  ]);
  for (const { path, html } of renderPages(docsFolder())) {
    const body = new SharedBody(html);
    resources.set(path, { contentType: HTML_TYPE, body, headers: PAGE_POLICY });
  }
  return resources;
}
