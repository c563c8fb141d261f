import { coinsNamed, type Market } from "../check/market.ts";
import { snapshotMarket } from "../server/checks/snapshot-market.ts";
import { findCurrent } from "../snapshots/folder.ts";
import { UsageError } from "./usage-error.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";

/** The market of the current snapshot. It is undefined if there is no snapshot, unless a coin is named. */
export async function openMarket({
  coin,
  snapshots,
}: {
  readonly coin?: string | undefined;
  readonly snapshots: string;
}): Promise<Market | undefined> {
  const dir = coin === undefined ? await findCurrent(snapshots) : await currentSnapshot(snapshots);
  if (dir === undefined) return undefined;
  const market = await snapshotMarket(dir);
  const { coins } = market;
  if (coin !== undefined && !coinsNamed(coin).some((name) => coins.has(name))) {
    throw new UsageError(`the snapshot has no prices of "${coin}"${suggestion(coin, [...coins])}`);
  }
  return market;
}
