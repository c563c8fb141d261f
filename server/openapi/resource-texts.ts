import type { Endpoint } from "../routes/endpoint.ts";
import { DOCS_PATH, docsFolder, MENU, pathOfPage } from "../pages/docs-folder.ts";

export const OPENAPI_PATH = "/openapi.json";

/**
 * The function that makes each open resource, by path. Its code is loaded when the first resource is made.
 */
export function resourceTexts(
  endpoints: readonly Endpoint[],
  publicUrl: string,
): ReadonlyMap<string, () => Promise<string>> {
  const texts = new Map([
    [
      OPENAPI_PATH,
      async () => {
        const { openApiDocument } = await import("./openapi.ts");
        return JSON.stringify(openApiDocument(endpoints, publicUrl));
      },
    ],
  ]);
  const folder = docsFolder();
  texts.set(DOCS_PATH, async () => (await import("../pages/pages.ts")).renderIndex(folder));
  for (const name of Object.keys(MENU)) {
    const page = async () => (await import("../pages/pages.ts")).renderPage(folder, name);
    texts.set(pathOfPage(name), page);
  }
  return texts;
}
