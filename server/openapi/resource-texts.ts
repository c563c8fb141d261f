import type { ApiDocument } from "../../web/docs/operation.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import { DOCS_PATH, docsFolder, SEARCH_PATH } from "../pages/docs-folder.ts";
import type { DocsSource } from "../pages/docs-pages.ts";
import { pathsOf, readLibrary, type Doc } from "../pages/library.ts";
import { plainSource } from "../pages/plain-source.ts";
import { operationNames } from "./operation-names.ts";

export const OPENAPI_PATH = "/openapi.json";
/** What the search looks through. */
export const SEARCH_INDEX_PATH = `${SEARCH_PATH}.json`;

/** The documentation with a page for each operation. */
export function libraryFor(endpoints: readonly Endpoint[]): readonly Doc[] {
  return readLibrary(docsFolder(), operationNames(endpoints));
}

/**
 * The function that makes each open resource, by path. Its code is loaded when the first resource is made.
 */
export function resourceTexts(
  endpoints: readonly Endpoint[],
  publicUrl: string,
  library = libraryFor(endpoints),
): ReadonlyMap<string, () => Promise<string>> {
  let document: Promise<ApiDocument> | undefined;
  const makeDocument = async () => {
    const { openApiDocument } = await import("./openapi.ts");
    return openApiDocument(endpoints, publicUrl) as ApiDocument;
  };
  const madeDocument = async () => await (document ??= makeDocument());
  let source: Promise<DocsSource> | undefined;
  const makeSource = async () => {
    const { operationsOf } = await import("../../web/docs/operation.ts");
    return { library, operations: operationsOf(await madeDocument()), about: plainSource() };
  };
  const madeSource = async () => await (source ??= makeSource());
  const page = (path: string) => async () => {
    const { renderDocsPath } = await import("../pages/docs-pages.ts");
    return renderDocsPath(path, await madeSource());
  };
  return new Map([
    [OPENAPI_PATH, async () => JSON.stringify(await madeDocument())],
    [
      SEARCH_INDEX_PATH,
      async () => {
        const { searchSections } = await import("../pages/docs-pages.ts");
        return JSON.stringify(searchSections(await madeSource()));
      },
    ],
    ...[DOCS_PATH, ...pathsOf(library)].map((path) => [path, page(path)] as const),
  ]);
}
