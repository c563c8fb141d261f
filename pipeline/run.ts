import { join } from "node:path";
import type { Manifest, ManifestCoin, LeftOutCoin } from "../snapshots/manifest.ts";
import { takeLock } from "../snapshots/lock.ts";
import { SNAPSHOTS_KEPT, pruneSnapshots, removeLeftovers } from "../snapshots/prune.ts";
import { ensureFolder } from "../snapshots/folder.ts";
import { priceBlock } from "../snapshots/tables/prices.ts";
import { beginSnapshot, type SnapshotWriter } from "../snapshots/writer.ts";
import type { Board } from "./board.ts";
import { ingest, qualityRecordOf } from "./ingest.ts";
import { openPreviousSnapshot } from "./previous-snapshot.ts";
import { newestMonth } from "./newest-month.ts";
import { noticesOf } from "./notices.ts";
import { endingOn } from "./price-rules.ts";
import { type Clock, type Progress, type RunStep, stepRunner } from "./steps.ts";
import { dayOfInstant, reachedHorizon, resolveAsOf } from "./sources/as-of.ts";
import { InputError } from "./sources/input-error.ts";
import type { PriceSource, SourceSummary } from "./sources/source.ts";
import type { IngestedCoin, Stage } from "./stages/stage.ts";

export interface RunInput {
  /** The folder of snapshots. Created if it does not exist. */
  readonly root: string;
  readonly source: PriceSource;
  readonly board: Board;
  /** In the order in which they run. */
  readonly stages: readonly Stage[];
  /** `YYYY-MM-DD`; by default the newest complete day the source has. */
  readonly asOf?: string | undefined;
  readonly clock: Clock;
  readonly versions: Readonly<Record<string, string>>;
  readonly progress: Progress;
  /** Aborting removes at once whatever is not published. The run is then over, whatever it returns. */
  readonly signal?: AbortSignal | undefined;
}

export type RunResult = Awaited<ReturnType<typeof runPipeline>>;

/**
 * One nightly run: source, price rules, stages in order, publication. It either publishes a whole snapshot, even if
 * nothing is new, or throws and has changed nothing that readers see. A failure after publication is reported as a
 * notice.
 */
export async function runPipeline(input: RunInput) {
  const { root, signal, progress } = input;
  ensureFolder(root);
  const lock = await takeLock(root);
  let writer: SnapshotWriter | undefined;
  const clear = async () => {
    const ended = writer?.abandon(); // all that readers could see is gone when this returns
    lock.release();
    await ended;
  };
  const interrupted = () => void clear();
  signal?.addEventListener("abort", interrupted, { once: true });
  try {
    const run = stepRunner(progress, input.clock);
    const notice = (text: string) => progress.notice(text);
    for (const name of removeLeftovers(root, notice)) {
      notice(`removed "${name}", which a run left that did not end`);
    }
    writer = await beginSnapshot(root); // its thread starts up while prices are gathered
    const gathered = await gather(input, run);
    signal?.throwIfAborted();
    const written = await compute(input, { gathered, run, writer });
    await run("write", async (step) => {
      for (const [index, table] of written.entries()) {
        await table;
        await step(index + 1, written.length);
        signal?.throwIfAborted();
      }
      await writer?.settle();
      return { value: undefined, facts: { tables: written.length } };
    });
    const manifest = await publish(input, { gathered, run, writer });
    await run("prune", async () => {
      const removed = await pruneSnapshots(root, SNAPSHOTS_KEPT, notice);
      return { value: removed, facts: { removed: removed.length } };
    });
    return { dir: join(root, manifest.id), manifest };
  } finally {
    signal?.removeEventListener("abort", interrupted);
    await clear();
  }
}

type Gathered = Awaited<ReturnType<typeof gather>>;

/**
 * Everything that comes from outside: the last day, what is published, and what the source has. `month` is the newest
 * one of this run's index and dataset.
 */
async function gather(
  { root, source, board, asOf: requested, progress, clock }: RunInput,
  run: RunStep,
) {
  const notice = (text: string) => progress.notice(text);
  const previous = await run("previous", async () => {
    const found = await openPreviousSnapshot(root, source, notice);
    return { value: found, facts: { continued: found.history !== undefined } };
  });
  return await run("ingest", async () => {
    const today = dayOfInstant(clock.nowMs());
    const published = previous.asOf;
    const expected = await resolveAsOf(source, { today, requested, published });
    const onCoin = (done: number, total: number) => progress.advance(done, total);
    const { history } = previous;
    const ingested = await ingest({ source, board, horizon: expected, previous: history, onCoin });
    const { summary } = ingested;
    const lastDays = ingested.coins.flatMap(({ clean }) => clean.bars.day.at(-1) ?? []);
    if (lastDays.length === 0) {
      throw new InputError(`source "${source.name}" has no believable price of any board coin`);
    }
    const newest = Math.max(...lastDays);
    const horizon = reachedHorizon(source, expected, { newest, published });
    const coins = ingested.coins.map(({ board: coin, clean }) => ({
      board: coin,
      clean: endingOn(horizon.asOf, clean),
    }));
    for (const text of noticesOf(coins, summary)) notice(text);
    const month = await newestMonth(horizon.asOf, { coins, previous, notice });
    return {
      value: { horizon, previous, month, coins, summary },
      facts: ingestFacts(coins, summary),
    };
  });
}

function ingestFacts(coins: readonly IngestedCoin[], summary: SourceSummary) {
  const sum = (count: (coin: IngestedCoin) => number) =>
    coins.reduce((total, coin) => total + count(coin), 0);
  return {
    coins: coins.filter(hasPrices).length,
    days: sum(({ clean }) => clean.bars.day.length),
    filled: sum(({ clean }) => clean.quality.filled),
    rejected: sum(({ clean }) => clean.rejects.length + clean.quality.rejectsUnlisted),
    revised: sum(({ clean }) => clean.quality.revisedDays),
    stale: coins.filter(({ clean }) => clean.quality.stale).length,
    other_files: summary.otherFiles,
  };
}

function hasPrices({ clean }: IngestedCoin): boolean {
  return clean.bars.day.length > 0;
}

interface Computing {
  readonly gathered: Gathered;
  readonly run: RunStep;
  readonly writer: SnapshotWriter;
}

/**
 * Runs the stages and returns the writes in progress. Each table goes to the writer as it is made, and is written
 * while the next stages run.
 */
async function compute(
  { stages }: RunInput,
  { gathered, run, writer }: Computing,
): Promise<Promise<void>[]> {
  const { coins, horizon, previous, month } = gathered;
  const prices = coins
    .filter(hasPrices)
    .map(({ clean }) => priceBlock(clean.ticker, clean.bars, clean.filled));
  const written: Promise<void>[] = [];
  for (const stage of stages) {
    await run(stage.name, async (step) => {
      const published = () => previous.tables(stage.keeps ?? []);
      const given = { asOf: horizon.asOf, month, coins, prices, published, step };
      let rows = 0;
      for await (const [table, made] of await stage.run(given)) {
        // Throws what earlier tables failed with, such as a full disk.
        const taken = await writer.takeTable(table, made);
        rows += taken.rows;
        written.push(taken.written);
      }
      return { value: undefined, facts: { rows } };
    });
  }
  return written;
}

async function publish(
  { source, clock, asOf, board, versions, progress }: RunInput,
  { gathered, run, writer }: Computing,
): Promise<Manifest> {
  return await run("publish", async () => {
    const facts = {
      asOf: gathered.horizon.asOf,
      source: source.name,
      synthetic: source.synthetic,
      instantMs: clock.nowMs(),
      coins: gathered.coins.filter(hasPrices).map(manifestCoin),
      leftOut: leftOutCoins(gathered),
      parameters: {
        as_of_requested: asOf ?? null,
        board_coins: board.length,
        continued_from: gathered.previous.history?.manifest.id ?? null,
        other_files: gathered.summary.otherFiles,
      },
      versions,
    };
    const manifest = await writer.publish(facts, (text) => progress.notice(text));
    const bytes = manifest.files.reduce((total, file) => total + file.bytes, 0);
    return { value: manifest, facts: { snapshot: manifest.id, bytes } };
  });
}

/** A coin that has prices, as the manifest describes it. */
function manifestCoin({ board, clean }: IngestedCoin): ManifestCoin {
  const { day } = clean.bars;
  return {
    ...board,
    firstDay: day[0]!,
    lastDay: day.at(-1)!,
    days: day.length,
    stale: clean.quality.stale,
    quality: qualityRecordOf(clean),
  };
}

function leftOutCoins({ coins, summary }: Gathered): LeftOutCoin[] {
  const failures = new Map(summary.failed.map(({ ticker, message }) => [ticker, message]));
  return coins
    .filter((coin) => !hasPrices(coin))
    .map(({ board: { ticker, name } }) => {
      const absent = summary.missing.includes(ticker) ? "the source does not have it" : undefined;
      const reason = absent ?? failures.get(ticker) ?? "no believable price up to as_of";
      return { ticker, name, reason };
    });
}
