import { join } from "node:path";
import type { Month } from "../quant/month.ts";
import type { Manifest, ManifestCoin, LeftOutCoin } from "../snapshots/manifest.ts";
import { takeLock } from "../snapshots/lock.ts";
import { SNAPSHOTS_KEPT, pruneSnapshots, removeLeftovers } from "../snapshots/prune.ts";
import { ensureFolder } from "../snapshots/folder.ts";
import type { Table, TableBlock, TableRows } from "../snapshots/tables/table.ts";
import { beginSnapshot, type SnapshotWriter } from "../snapshots/writer.ts";
import type { Board } from "./board.ts";
import { ingest, qualityRecordOf } from "./ingest.ts";
import { openPreviousSnapshot, type PreviousSnapshot } from "./previous-snapshot.ts";
import { newestMonth } from "./newest-month.ts";
import { noticesOf } from "./notices.ts";
import { endingOn } from "./price-rules.ts";
import type { Horizon } from "./price-rules/raw-row.ts";
import { type Progress, Steps, type Clock } from "./steps.ts";
import { dayOfInstant, reachedHorizon, resolveAsOf } from "./sources/as-of.ts";
import { InputError } from "./sources/input-error.ts";
import type { PriceSource, SourceSummary } from "./sources/source.ts";
import { orderStages } from "./stage-order.ts";
import type { IngestedCoin, Stage } from "./stages/stage.ts";

export interface RunInput {
  /** The folder of snapshots. Created if it does not exist. */
  readonly root: string;
  readonly source: PriceSource;
  readonly board: Board;
  readonly stages: readonly Stage[];
  /** `YYYY-MM-DD`; by default the newest complete day the source has. */
  readonly asOf?: string | undefined;
  readonly clock: Clock;
  readonly versions: Readonly<Record<string, string>>;
  readonly progress: Progress;
  /** Aborting removes at once whatever is not published. The run is then over, whatever it returns. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunResult {
  readonly dir: string;
  readonly manifest: Manifest;
}

/**
 * One nightly run: source, price rules, stages in order, publication. It either publishes a whole snapshot,
 * even if nothing is new, or throws and has changed nothing that readers see. What fails once the snapshot is
 * published is a notice.
 */
export async function runPipeline(input: RunInput): Promise<RunResult> {
  const { root, signal } = input;
  const stages = orderStages(input.stages);
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
    const steps = new Steps(input.progress, input.clock);
    const notice = (text: string) => input.progress.notice(text);
    for (const name of removeLeftovers(root, notice)) {
      notice(`removed "${name}", which a run left that did not end`);
    }
    writer = await beginSnapshot(root); // its thread starts up while prices are gathered
    const gathered = await gather(input, steps);
    signal?.throwIfAborted();
    const writes = await compute(stages, { gathered, steps, writer });
    const manifest = await write(writer, { input, gathered, writes, steps });
    await steps.run("prune", async () => {
      const removed = await pruneSnapshots(root, SNAPSHOTS_KEPT, notice);
      return { value: removed, facts: { removed: removed.length } };
    });
    return { dir: join(root, manifest.id), manifest };
  } finally {
    signal?.removeEventListener("abort", interrupted);
    await clear();
  }
}

interface Gathered {
  readonly horizon: Horizon;
  readonly previous: PreviousSnapshot;
  /** The newest month of this run's index and dataset. */
  readonly month: Month;
  readonly coins: readonly IngestedCoin[];
  readonly summary: SourceSummary;
}

/** Everything that comes from outside: the last day, what is published, and what the source has. */
async function gather(
  { root, source, board, asOf, ...input }: RunInput,
  steps: Steps,
): Promise<Gathered> {
  const { progress, clock } = input;
  const previous = await steps.run("previous", async () => {
    const found = await openPreviousSnapshot(root, source, (text) => progress.notice(text));
    return { value: found, facts: { continued: found.history !== undefined } };
  });
  return await steps.run("ingest", async () => {
    const today = dayOfInstant(clock.nowMs());
    const published = previous.asOf;
    const expected = await resolveAsOf(source, { today, requested: asOf, published });
    const onCoin = (done: number, total: number) => progress.advance(done, total);
    const history = previous.history;
    const ingested = await ingest({ source, board, horizon: expected, previous: history, onCoin });
    const { summary } = ingested;
    const newest = newestOf(ingested.coins);
    if (newest === undefined) {
      throw new InputError(`source "${source.name}" has no believable price of any board coin`);
    }
    const horizon = reachedHorizon(source, expected, { newest, published });
    const coins = ingested.coins.map(({ board: coin, clean }) => ({
      board: coin,
      clean: endingOn(horizon.asOf, clean),
    }));
    const notice = (text: string) => progress.notice(text);
    for (const text of noticesOf(coins, summary)) notice(text);
    const month = await newestMonth(horizon.asOf, { coins, previous, notice });
    return {
      value: { horizon, previous, month, coins, summary },
      facts: ingestFacts(coins, summary),
    };
  });
}

/** The newest day of any coin. */
function newestOf(coins: readonly IngestedCoin[]): number | undefined {
  const last = coins.map(({ clean }) => clean.bars.day.at(-1)).filter((day) => day !== undefined);
  return last.length === 0 ? undefined : Math.max(...last);
}

function ingestFacts(coins: readonly IngestedCoin[], summary: SourceSummary) {
  const sum = (count: (coin: IngestedCoin) => number) =>
    coins.reduce((total, coin) => total + count(coin), 0);
  return {
    coins: coins.filter(({ clean }) => clean.bars.day.length > 0).length,
    days: sum(({ clean }) => clean.bars.day.length),
    filled: sum(({ clean }) => clean.quality.filled),
    rejected: sum(({ clean }) => clean.rejects.length + clean.quality.rejectsUnlisted),
    revised: sum(({ clean }) => clean.quality.revisedDays),
    stale: coins.filter(({ clean }) => clean.quality.stale).length,
    other_files: summary.otherFiles,
  };
}

/**
 * Runs the stages and returns the writes in progress. A stage sees the tables that it declares to read, and
 * must make those that it declares to write. Each table goes to the writer as it is made, and is written
 * while the next stages run. It stays in memory here only for stages that read it.
 */
async function compute(
  stages: readonly Stage[],
  of: { gathered: Gathered; steps: Steps; writer: SnapshotWriter },
): Promise<Promise<void>[]> {
  const { gathered, steps, writer } = of;
  const { coins, horizon, previous, month } = gathered;
  const tables = new Map<Table, readonly TableBlock[]>();
  const writes: Promise<void>[] = [];
  for (const [place, stage] of stages.entries()) {
    const readLater = stages.slice(place + 1).flatMap(({ reads }) => reads);
    await steps.run(stage.name, async (step) => {
      const made = await stage.run({
        asOf: horizon.asOf,
        month,
        coins,
        step,
        read(table) {
          const blocks = tables.get(table);
          if (blocks !== undefined && stage.reads.includes(table)) return blocks;
          throw new Error(`stage "${stage.name}" does not say that it reads "${table.name}"`);
        },
        published: () => previous.tables(stage.keeps ?? []),
      });
      const left = new Set(stage.writes);
      let rows = 0;
      for await (const [table, given] of made) {
        if (!left.delete(table)) throw new Error(`stage "${stage.name}" wrote "${table.name}"`);
        if (readLater.includes(table)) tables.set(table, keepable(table, given));
        // Throws what earlier tables failed with, such as a full disk.
        const taken = await writer.takeTable(table, given);
        rows += taken.rows;
        writes.push(taken.written);
      }
      if (left.size > 0) throw new Error(`stage "${stage.name}" did not write ${namesOf(left)}`);
      for (const table of tables.keys()) if (!readLater.includes(table)) tables.delete(table);
      return { value: undefined, facts: { rows } };
    });
  }
  return writes;
}

function namesOf(tables: Iterable<Table>): string {
  return [...tables].map(({ name }) => `"${name}"`).join(", ");
}

/** A table that other stages read is kept as a whole. */
function keepable(table: Table, rows: TableRows): readonly TableBlock[] {
  if (!("blocks" in rows)) return rows;
  throw new Error(`table "${table.name}" comes block by block: no stage can read it`);
}

async function write(
  writer: SnapshotWriter,
  of: {
    input: RunInput;
    gathered: Gathered;
    writes: readonly Promise<void>[];
    steps: Steps;
  },
): Promise<Manifest> {
  const { input, gathered, writes, steps } = of;
  await steps.run("write", async (step) => {
    for (const [index, write] of writes.entries()) {
      await write;
      await step(index + 1, writes.length);
      input.signal?.throwIfAborted();
    }
    await writer.settle();
    return { value: undefined, facts: { tables: writes.length } };
  });
  return await steps.run("publish", async () => {
    const facts = {
      asOf: gathered.horizon.asOf,
      source: input.source.name,
      synthetic: input.source.synthetic,
      instantMs: input.clock.nowMs(),
      coins: gathered.coins.flatMap(manifestCoin),
      leftOut: leftOutCoins(gathered),
      parameters: {
        as_of_requested: input.asOf ?? null,
        board_coins: input.board.length,
        continued_from: gathered.previous.history?.manifest.id ?? null,
        other_files: gathered.summary.otherFiles,
      },
      versions: input.versions,
    };
    const manifest = await writer.publish(facts, (text) => input.progress.notice(text));
    const bytes = manifest.files.reduce((total, file) => total + file.bytes, 0);
    return { value: manifest, facts: { snapshot: manifest.id, bytes } };
  });
}

function manifestCoin({ board, clean }: IngestedCoin): ManifestCoin[] {
  const { day } = clean.bars;
  const [firstDay, lastDay] = [day[0], day.at(-1)];
  if (firstDay === undefined || lastDay === undefined) return [];
  const facts = { firstDay, lastDay, days: day.length, stale: clean.quality.stale };
  return [{ ...board, ...facts, quality: qualityRecordOf(clean) }];
}

function leftOutCoins({ coins, summary }: Gathered): LeftOutCoin[] {
  const failures = new Map(summary.failed.map(({ ticker, message }) => [ticker, message]));
  return coins
    .filter(({ clean }) => clean.bars.day.length === 0)
    .map(({ board: { ticker, name } }) => {
      const absent = summary.missing.includes(ticker) ? "the source does not have it" : undefined;
      const reason = absent ?? failures.get(ticker) ?? "no believable price up to as_of";
      return { ticker, name, reason };
    });
}
