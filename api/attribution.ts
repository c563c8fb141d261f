import { address, date, flag, object, oneOf, text } from "./members.ts";
import { record, type Json } from "./record.ts";

const LICENSE = "CC BY 4.0";
const LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/";
/** Says nothing of prices, which may be made up, and which `POST /overfitting` does not use. */
const NOTICE =
  "For research. Not financial advice. Past results say nothing certain about future ones.";

/** Where an answer comes from. */
export interface Origin {
  /** As the manifest names it: `demo`, `csv`, `exchange:binance`. */
  readonly prices: string;
  readonly snapshot: string;
  readonly asOf: number;
  readonly stale: boolean;
  readonly synthetic: boolean;
}

export const Attribution = record<Origin>({
  id: "Attribution",
  description: "Where the data comes from and how it may be used.",
})({
  source: text(
    "who computed the data, and from what prices",
    ({ prices }) => `Hindsight, from ${wordsFor(prices)}`,
  ),
  license: oneOf([LICENSE])("licence of the data", () => LICENSE),
  license_url: address("text of the licence", () => LICENSE_URL),
  notice: text("says that the data is not financial advice", () => NOTICE),
  snapshot: text("the published set of files this answer came from"),
  as_of: date("last complete UTC day; in an answer about one coin, its own"),
  stale: flag("true for one coin that ends more than 2 days before the snapshot"),
  synthetic: flag("true when the prices are made up, by the demo market"),
});

function wordsFor(prices: string): string {
  if (prices === "demo") return "the made-up prices of its demo market";
  if (prices.startsWith("exchange:")) return `daily prices of ${prices.slice("exchange:".length)}`;
  return "daily prices of the operator's csv files";
}

/** What every answer is made from besides its own figures. */
export interface Attributed {
  readonly origin: Origin;
}

/** The first member of every answer. */
export const attribution = object(Attribution)("", ({ origin }: Attributed) => origin);

export type Attribution = Json<typeof Attribution>;
