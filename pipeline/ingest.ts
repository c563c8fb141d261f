import PQueue from "p-queue";
import type { History } from "../snapshots/history.ts";
import type { CoinQualityRecord } from "../snapshots/manifest.ts";
import type { Board, BoardCoin } from "./board.ts";
import { applyPriceRules, type CleanCoin } from "./price-rules.ts";
import type { PreviousHistory } from "./price-rules/history.ts";
import type { Reject } from "./price-rules/screen.ts";
import type { Horizon } from "./price-rules/raw-row.ts";
import type { PriceSource, SourceSummary } from "./sources/source.ts";
import type { IngestedCoin } from "./stages/stage.ts";

interface IngestInput {
  readonly source: PriceSource;
  readonly board: Board;
  readonly horizon: Horizon;
  readonly previous: History | undefined;
  readonly onCoin: (done: number, total: number) => void;
}

/** Fetches every coin of the board, as many at once as the source allows, and applies the price rules. */
export async function ingest(
  input: IngestInput,
): Promise<{ coins: IngestedCoin[]; summary: SourceSummary }> {
  const { source, board, horizon, previous, onCoin } = input;
  const queue = new PQueue({ concurrency: source.parallel });
  let done = 0;
  const ingestCoin = async (coin: BoardCoin): Promise<IngestedCoin> => {
    const { history, isContinued } = previousOf(coin, previous);
    const fromDay = isContinued ? nextDay(history, horizon) : null;
    const fetched = await source.fetch(coin, { fromDay, toDay: horizon.asOf });
    const clean = applyPriceRules({ coin: fetched, previous: history, horizon });
    onCoin(++done, board.length);
    return { board: coin, clean };
  };
  try {
    const coins = await Promise.all(board.map((coin) => queue.add(() => ingestCoin(coin))));
    return { coins, summary: source.conclude() };
  } finally {
    queue.clear();
  }
}

/** The first day that is not known yet, or null if none up to as_of is, as when the history restarted after as_of. */
function nextDay(history: PreviousHistory | undefined, { asOf }: Horizon): number | null {
  const [firstDay, lastDay] = [history?.bars.day[0], history?.bars.day.at(-1)];
  if (firstDay === undefined || lastDay === undefined || firstDay > asOf) return null;
  return Math.min(lastDay, asOf) + 1;
}

/** A coin's published history, and whether it was published from the symbols that the board has now. */
function previousOf(
  { ticker, earlier = [] }: BoardCoin,
  previous: History | undefined,
): { history: PreviousHistory | undefined; isContinued: boolean } {
  const coin = previous?.coins.get(ticker);
  const published = previous?.manifest.coins.find((other) => other.ticker === ticker);
  const isContinued = JSON.stringify(published?.earlier ?? []) === JSON.stringify(earlier);
  if (coin === undefined) return { history: undefined, isContinued };
  const quality = isContinued ? published?.quality : undefined; // otherwise it may begin on another day
  const { restartedAt = null, daysBeforeGapLeftOut = 0 } = quality ?? {};
  const rejects = coin.rejects as readonly Reject[]; // a published reason never changes its meaning
  return { history: { ...coin, rejects, restartedAt, daysBeforeGapLeftOut }, isContinued };
}

/** The quality record of a coin as the manifest keeps it. */
export function qualityRecordOf({ quality }: CleanCoin): CoinQualityRecord {
  const { stale: _, rejected, ...rest } = quality;
  const counts = Object.entries(rejected).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, rejected: Object.fromEntries(counts) };
}
