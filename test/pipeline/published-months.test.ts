import { cpSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { THIS_THREAD } from "../../pipeline/compute-pool.ts";
import type { RunInput } from "../../pipeline/run.ts";
import type { RawRow } from "../../pipeline/price-rules/raw-row.ts";
import { dataset } from "../../pipeline/stages/dataset.ts";
import { overfittingIndex } from "../../pipeline/stages/overfitting-index.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import { readTables } from "../../snapshots/history.ts";
import { DATASET } from "../../snapshots/tables/dataset.ts";
import { OVERFITTING_INDEX } from "../../snapshots/tables/overfitting-index.ts";
import { constantText } from "../../snapshots/tables/table.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import type { Watched } from "../support/snapshot-market.ts";
import {
  memorySource,
  PRICES_ONLY,
  rowsOfBars,
  RUN_INSTANT_MS,
  runSmall,
  watcher,
} from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");

/** Ten coins from 2020-01-01 to 2023-09-21: the index has 2023-07 and 2023-08. */
const TICKERS = Array.from({ length: 10 }, (_, index) => `coin-${index}`);
const MARKET: Readonly<Record<string, RawRow[]>> = Object.fromEntries(
  TICKERS.map((ticker, seed) => [ticker, rowsOfBars(madeUpBars({ seed: seed + 1, days: 1360 }))]),
);
const BOARD = TICKERS.map((ticker) => ({ ticker, name: ticker, symbol: "X/USDT" }));
const STAGES = [...PRICES_ONLY, overfittingIndex(THIS_THREAD, { draws: 0 }), dataset(THIS_THREAD)];

/** A folder with a first run's snapshot, made once, and what that run returned. */
let firstRoot: string;
let first: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  firstRoot = temporaryFolder("published-months");
  first = await run(firstRoot);
});
function folderAfterFirst(): string {
  const root = folder();
  cpSync(firstRoot, root, { recursive: true });
  return root;
}

let night = 0;
async function run(root: string, more: Partial<RunInput> & { progress?: Watched } = {}) {
  const nowMs = RUN_INSTANT_MS + ++night * 60_000;
  const source = memorySource(MARKET);
  return await runSmall(root, { board: BOARD, stages: STAGES, source, nowMs, ...more });
}

/** The market with another close on one day. */
function revised(date: string): Readonly<Record<string, RawRow[]>> {
  const change = (row: RawRow): RawRow =>
    row.day === dayOfDate(date) ? { ...row, close: (row.high + row.low) / 2 } : row;
  return { ...MARKET, "coin-3": MARKET["coin-3"]!.map(change) };
}

/** The market without the rows of some coins after a day. */
function late(lastDay: string, ...tickers: string[]): Readonly<Record<string, RawRow[]>> {
  const known = (rows: RawRow[]) => rows.filter(({ day }) => day <= dayOfDate(lastDay)!);
  return { ...MARKET, ...Object.fromEntries(tickers.map((coin) => [coin, known(MARKET[coin]!)])) };
}

const checksums = ({ files }: Manifest, names: RegExp) =>
  files
    .filter(({ name }) => names.test(name) && name.endsWith(".arrow"))
    .map(({ name, sha256 }) => `${name} ${sha256}`);
const MONTHLY = /^(overfitting_index|dataset)/;

async function monthsOf(dir: string): Promise<string[]> {
  const tables = await readTables(dir, [OVERFITTING_INDEX]);
  return tables.get(OVERFITTING_INDEX)!.map((block) => constantText(block, "month"));
}

describe("what was published for a month", () => {
  test("stays as it was when runs go back on purpose and forward again, whatever the prices are then", async () => {
    const root = folderAfterFirst();
    expect(await monthsOf(first.dir)).toEqual(["2023-07", "2023-08"]);
    const back = await run(root, { asOf: "2023-08-10" });
    expect(await monthsOf(back.dir)).toEqual(["2023-07"]);
    const again = await run(root, { source: memorySource(revised("2023-08-15")) });
    expect(checksums(again.manifest, MONTHLY)).toEqual(checksums(first.manifest, MONTHLY));
    expect(checksums(again.manifest, /^prices/)).not.toEqual(checksums(first.manifest, /^prices/));
    const elsewhere = await run(folder(), { source: memorySource(revised("2023-08-15")) });
    expect(checksums(elsewhere.manifest, MONTHLY)).not.toEqual(checksums(first.manifest, MONTHLY));
  });

  test("is found when the current snapshot is damaged", async () => {
    const root = folderAfterFirst();
    const second = await run(root);
    truncateSync(writable(join(second.dir, "overfitting_index.arrow")), 100);
    const progress = watcher();
    const source = memorySource(revised("2023-06-15"));
    const third = await run(root, { source, progress });
    expect(checksums(third.manifest, MONTHLY)).toEqual(checksums(first.manifest, MONTHLY));
    expect(third.manifest.parameters["continued_from"]).toBe(second.manifest.id);
    expect(progress.notices.join()).toContain("overfitting_index.arrow has 100 bytes");
  });

  test("is not taken from another source", async () => {
    const root = folderAfterFirst();
    const source = memorySource(revised("2023-06-15"), { name: "elsewhere" });
    const other = await run(root, { source });
    expect(checksums(other.manifest, MONTHLY)).not.toEqual(checksums(first.manifest, MONTHLY));
  });
});

describe("a month whose last day a coin still lacks", () => {
  const WAITING = (coins: string) =>
    `index and dataset of 2023-08 wait for 2023-08-31 of ${coins}, at most until the run of 2023-09-02`;

  /**
   * Runs as of those days, with a coin's prices ending where given; what each published of months, and its
   * notices.
   */
  async function nights(root: string, days: readonly [asOf: string, coinEnds: string][]) {
    const found = [];
    for (const [asOf, coinEnds] of days) {
      const progress = watcher();
      const source = memorySource(late(coinEnds, "coin-3"));
      const { dir, manifest } = await run(root, { asOf, source, progress });
      const [about] = (await readTables(dir, [DATASET])).get(DATASET)!;
      const months = [...(await monthsOf(dir)), constantText(about!, "version")];
      found.push({ months, notices: progress.notices, manifest });
    }
    return found;
  }

  test("is published when the coin has arrived, as if it had arrived in time", async () => {
    const [, waiting, published] = await nights(folder(), [
      ["2023-08-30", "2023-08-29"],
      ["2023-08-31", "2023-08-29"],
      ["2023-09-01", "2023-09-01"],
    ]);
    expect(waiting?.months).toEqual(["2023-07", "2023-07"]);
    expect(waiting?.notices).toEqual([WAITING("coin-3")]);
    expect(published?.months).toEqual(["2023-07", "2023-08", "2023-08"]);
    expect(published?.notices).toEqual([]);
    const [, inTime] = await nights(folder(), [
      ["2023-08-30", "2023-08-30"],
      ["2023-08-31", "2023-08-31"],
    ]);
    expect(checksums(published!.manifest, MONTHLY)).toEqual(checksums(inTime!.manifest, MONTHLY));
  });
});
