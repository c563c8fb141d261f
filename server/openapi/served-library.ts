import {
  DOCS_PATH,
  docsFolder,
  OPENAPI_PATH,
  SEARCH_INDEX_PATH,
  SEARCH_PATH,
} from "../pages/docs-folder.ts";
import { pathsOf, readLibrary, type Doc } from "../pages/library.ts";
import { operationNames } from "./operation-names.ts";

/** The files of the documentation. */
export function servedLibrary(): readonly Doc[] {
  return readLibrary(docsFolder(), operationNames());
}

/** What is served without a key, whatever the snapshot: the OpenAPI document and the documentation. */
export function openPaths(library: readonly Doc[]): readonly string[] {
  return [OPENAPI_PATH, DOCS_PATH, ...pathsOf(library), SEARCH_PATH, SEARCH_INDEX_PATH];
}
