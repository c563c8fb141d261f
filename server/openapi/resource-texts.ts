import type { OperatorLinks } from "../../web/layout.tsx";
import { operationsOf, type ApiDocument } from "../../web/docs/operation.ts";
import { OPENAPI_PATH, SEARCH_INDEX_PATH } from "../pages/docs-folder.ts";
import { renderDocsPath, searchSections } from "../pages/docs-pages.ts";
import type { Doc } from "../pages/library.ts";
import { plainSource } from "../pages/site.ts";
import { openApiDocument } from "./openapi.ts";

/** A function that makes the text of the OpenAPI document or a page of the documentation, by path. */
export function resourceTexts(
  library: readonly Doc[],
  publicUrl: string,
  operator: OperatorLinks = {},
): (path: string) => string {
  const document = openApiDocument(publicUrl) as ApiDocument;
  const source = {
    library,
    operations: operationsOf(document),
    about: plainSource(operator, publicUrl),
  };
  return (path) => {
    if (path === OPENAPI_PATH) return JSON.stringify(document);
    if (path === SEARCH_INDEX_PATH) return JSON.stringify(searchSections(source));
    return renderDocsPath(path, source);
  };
}
