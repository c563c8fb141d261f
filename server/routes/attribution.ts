import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const LICENSE = "CC BY 4.0";
const LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/";
/** Says nothing of the prices: they may be made up, and `POST /overfitting` uses none. */
const NOTICE =
  "For research. Not financial advice. Past results say nothing certain about future ones.";

export const Attribution = z
  .strictObject({
    source: z.string().describe("who computed the data, and from what prices"),
    license: z.literal(LICENSE).describe("licence of the data"),
    license_url: z.url().describe("text of the licence"),
    notice: z.string().describe("says that the data is not financial advice"),
    snapshot: z.string().describe("the published set of files this answer came from"),
    as_of: z.iso.date().describe("last complete UTC day; in an answer about one coin, its own"),
    stale: z.boolean().describe("true for one coin that ends more than 2 days before the snapshot"),
    synthetic: z.boolean().describe("true when the prices are made up, by the demo market"),
  })
  .meta({ id: "Attribution", description: "Where the data comes from and how it may be used." });

/** What every `data` begins with. With `coin`, one of the snapshot's, it covers that coin alone. */
export function attributionOf(
  snapshot: SnapshotData,
  coin?: SnapshotCoin,
): z.output<typeof Attribution> {
  const { manifest } = snapshot;
  return {
    source: `Hindsight, from ${pricesOf(manifest.source)}`,
    license: LICENSE,
    license_url: LICENSE_URL,
    notice: NOTICE,
    snapshot: snapshot.id,
    as_of: dateOfDay(coin?.lastDay ?? manifest.asOf),
    stale: coin?.stale ?? false,
    synthetic: manifest.synthetic,
  };
}

function pricesOf(source: string): string {
  if (source === "demo") return "the made-up prices of its demo market";
  if (source.startsWith("exchange:")) return `daily prices of ${source.slice("exchange:".length)}`;
  return "daily prices of the operator's csv files";
}
