import { LRUCache } from "lru-cache";
import type * as Site from "../../web/site.tsx";
import { pageTypeOf, pathsOf, type Subjects } from "../../web/paths.ts";
import { madeOnce, type OpenResource, type Pages } from "../requests/route-table.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { inTurns } from "./in-turns.ts";
import { PAGE, PICTURE } from "./page-type.ts";
import { siteDataOf } from "./site-data.ts";

const TYPES = {
  html: PAGE,
  svg: PICTURE,
  csv: { contentType: "text/csv; charset=utf-8" },
  json: { contentType: "application/json" },
};

/** A coin's page takes 200 KB and 65 KB compressed, that of the dataset four times as much. */
const CACHE_BYTES = 48 * 1024 * 1024;
/** Before it is made, a page is taken to need this much, and then for its compressed copy. */
const PAGE_BYTES = 128 * 1024;

let site: Promise<typeof Site> | undefined;

/** The pages of one snapshot, each rendered when it is first requested. */
export class SnapshotPages implements Pages {
  readonly paths: readonly string[];
  readonly #snapshot: SnapshotData;
  readonly #subjects: Subjects;
  readonly #cache = new LRUCache<string, OpenResource>({ maxSize: CACHE_BYTES });

  constructor(
    snapshot: SnapshotData,
    { withholdsPrices = false }: { readonly withholdsPrices?: boolean | undefined } = {},
  ) {
    this.#snapshot = snapshot;
    const coins = new Set(snapshot.coins.map(({ ticker }) => ticker));
    this.#subjects = {
      coins,
      priced: withholdsPrices ? new Set() : coins,
      templates: new Set(CATALOGUE.map(({ name }) => name)),
    };
    this.paths = pathsOf(this.#subjects);
  }

  find(path: string): OpenResource | undefined {
    const known = this.#cache.get(path);
    if (known !== undefined) return known;
    const made = this.#pageOf(path);
    if (made !== undefined) this.#cache.set(path, made, { size: PAGE_BYTES });
    return made;
  }

  #pageOf(path: string): OpenResource | undefined {
    const type = pageTypeOf(path, this.#subjects);
    if (type === undefined) return undefined;
    const snapshot = this.#snapshot;
    const { priced } = this.#subjects;
    const page = madeOnce(TYPES[type], async () => {
      // The code of the pages is loaded by the first request for one, so that a start does without it.
      const { renderPath } = await (site ??= import("../../web/site.tsx"));
      const text = await inTurns(() => renderPath(path, type, siteDataOf(snapshot, priced)));
      this.#cache.set(path, page, { size: text.length + PAGE_BYTES });
      return text;
    });
    return page;
  }
}
