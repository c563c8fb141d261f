import type { Endpoint } from "../routes/endpoint.ts";
import { DOCS_PATH, docsFolder, MENU, pathOfPage } from "./docs-folder.ts";

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
  for (const path of [DOCS_PATH, ...Object.keys(MENU).map(pathOfPage)]) {
    texts.set(path, () => pageText(folder, path));
  }
  return texts;
}

async function pageText(folder: string, path: string): Promise<string> {
  const { renderPages } = await import("./pages.ts");
  const page = renderPages(folder).find((each) => each.path === path);
  if (page === undefined) throw new Error(`the page ${path} is gone`);
  return page.html;
}
