import type { ReadExport } from "../../check/formats/export.ts";
import type { Market } from "../../check/market.ts";
import { snapshotMarket } from "../../server/checks/snapshot-market.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { UsageError } from "../support/usage-error.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";

/**
 * The market of the snapshot, where it is of use: when a coin is named, and for trades, which it can value. Only a named
 * coin needs it.
 */
export async function openMarket(
  read: ReadExport,
  { coin, snapshots }: { readonly coin?: string; readonly snapshots: string },
): Promise<Market | undefined> {
  if (coin === undefined && read.trades === undefined) return undefined;
  const dir = coin === undefined ? await findCurrent(snapshots) : await currentSnapshot(snapshots);
  if (dir === undefined) return undefined;
  const market = await snapshotMarket(dir);
  const { coins } = market;
  if (coin !== undefined && !coins.has(coin)) {
    throw new UsageError(`the snapshot has no prices of "${coin}"${suggestion(coin, [...coins])}`);
  }
  return market;
}
