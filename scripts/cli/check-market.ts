import type { ReadExport } from "../../check/formats/export.ts";
import { needsMarket, type Market } from "../../check/market.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { UsageError } from "../support/usage-error.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";

/** The market of the snapshot, where a check has use for it. Only a named coin needs it. */
export async function openMarket(
  read: ReadExport,
  { coin, snapshots }: { readonly coin?: string; readonly snapshots: string },
): Promise<Market | undefined> {
  if (!needsMarket(read, coin)) return undefined;
  const dir = coin === undefined ? await findCurrent(snapshots) : await currentSnapshot(snapshots);
  if (dir === undefined) return undefined;
  const { snapshotMarket } = await import("../../server/checks/snapshot-market.ts");
  const market = await snapshotMarket(dir);
  const { coins } = market;
  if (coin !== undefined && !coins.has(coin)) {
    throw new UsageError(`the snapshot has no prices of "${coin}"${suggestion(coin, [...coins])}`);
  }
  return market;
}
