import type { Search, SearchSection } from "../../web/docs/search.ts";
import { SharedBody } from "../http/shared-body.ts";
import { SEARCH_PATH } from "./docs-folder.ts";
import type { Doc } from "./library.ts";
import { plainSource } from "./assets.ts";

/** The parameter that carries what is looked for. */
const QUERY = "q";

/** Makes the body of the page of search results, for what a query looks for. `index` is the text of the search's index. */
export function searchPage(
  library: readonly Doc[],
  index: () => Promise<string>,
): (query: string) => Promise<SharedBody> {
  let search: Promise<Search> | undefined;
  const made = async () => {
    const { searchOf } = await import("../../web/docs/search.ts");
    return searchOf(JSON.parse(await index()) as SearchSection[]);
  };
  return async (query) => {
    const find = await (search ??= made());
    const { renderSearch } = await import("../../web/docs/render.tsx");
    const { frameOf } = await import("./docs-pages.ts");
    const asked = new URLSearchParams(query).get(QUERY) ?? "";
    const words = asked.replace(/\p{Cc}/gu, " "); // HTML has no place for them
    const frame = frameOf({ library, about: plainSource() }, undefined);
    return new SharedBody(
      renderSearch({ path: SEARCH_PATH, query: words, hits: find(words), frame }),
    );
  };
}
