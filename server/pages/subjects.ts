import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Subjects } from "../../web/paths.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

/** What pages of a snapshot may be about. */
export function subjectsOf(
  { coins }: Pick<SnapshotData, "coins">,
  withholdsPrices: boolean,
): Subjects {
  const tickers = new Set(coins.map(({ ticker }) => ticker));
  return {
    coins: tickers,
    priced: withholdsPrices ? new Set() : tickers,
    templates: new Set(CATALOGUE.map(({ name }) => name)),
  };
}
