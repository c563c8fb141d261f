import { readFileSync, readdirSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BoardCoin } from "../../pipeline/board.ts";
import type { RunInput } from "../../pipeline/run.ts";
import type { PriceSource } from "../../pipeline/sources/source.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { findCurrent, listSnapshotIds } from "../../snapshots/folder.ts";
import { LOCK_FILE } from "../../snapshots/lock.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { verifySnapshot } from "../../snapshots/verified-files.ts";
import type { Asked } from "../support/snapshot-market.ts";
import {
  LAST_DAY,
  MARKET,
  memorySource,
  RUN_INSTANT_MS,
  runPrices,
  runSmall,
  TWO_COINS,
  watcher,
} from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");

const checksums = ({ files }: Manifest) =>
  files
    .filter(({ name }) => /\.(parquet|arrow)$/.test(name))
    .map(({ name, sha256 }) => `${sha256} ${name}`);

/** A run that publishes prices alone, and what it requested of its source. */
async function runAsking(
  root: string,
  of: Partial<PriceSource> = {},
  input: Partial<RunInput> = {},
) {
  const asked: Asked[] = [];
  const source = memorySource(MARKET, { asked, ...of });
  return { ...(await runPrices(root, { source, ...input })), asked };
}

/** Puts a folder in place of a file: reading it fails, as it does behind a bad block. */
const unreadable = (name: string) => (dir: string) => {
  rmSync(join(dir, name));
  mkdirSync(join(dir, name));
};

describe("runPipeline", () => {
  test("publishes a whole snapshot under a name of day, instant and content", async () => {
    const root = folder();
    const { dir, manifest } = await runSmall(root);
    expect(basename(dir)).toBe(manifest.id);
    expect(manifest.id).toMatch(`${dateOfDay(LAST_DAY)}T20261121T031500123Z-`);
    expect(await findCurrent(root)).toBe(dir);
    expect(readFileSync(join(root, "CURRENT"), "utf8")).toBe(`${manifest.id}\n`);
    expect(await verifySnapshot(dir)).toEqual([]);
    expect(readdirSync(root).sort()).toEqual([LOCK_FILE, manifest.id, "CURRENT"]);
    expect(readdirSync(dir).sort()).toEqual(
      [...manifest.files.map(({ name }) => name), "SHA256SUMS", "manifest.json"].sort(),
    );
    expect(manifest).toMatchObject({ source: "memory", synthetic: false, asOf: LAST_DAY });
    expect(manifest.createdAt).toBe("2026-11-21T03:15:00.123Z");
  });

  test("makes the same bytes from the same input at any time", async () => {
    const one = await runSmall(folder());
    const two = await runSmall(folder(), { nowMs: RUN_INSTANT_MS + 86_400_000 * 30 });
    expect(checksums(two.manifest)).toEqual(checksums(one.manifest));
    expect(two.manifest.id.slice(-12)).toBe(one.manifest.id.slice(-12));
    expect(two.manifest.id).not.toBe(one.manifest.id);
  });

  test("publishes even when nothing is new, fetches only what is new, and gives the same bytes", async () => {
    const root = folder();
    const first = await runSmall(root);
    const asked: Asked[] = [];
    const second = await runSmall(root, { source: memorySource(MARKET, { asked }) });
    expect(asked.map(({ fromDay }) => fromDay)).toEqual([LAST_DAY + 1, LAST_DAY + 1]);
    expect(checksums(second.manifest)).toEqual(checksums(first.manifest));
    expect(second.manifest.parameters["continued_from"]).toBe(first.manifest.id);
    expect(await listSnapshotIds(root)).toHaveLength(2);
    expect(await findCurrent(root)).toBe(second.dir);
  });

  test("night after night gives what one run over everything gives", async () => {
    const root = folder();
    for (const back of [30, 7, 0]) {
      await runSmall(root, { asOf: dateOfDay(LAST_DAY - back) });
    }
    const nightly = await openSnapshot((await findCurrent(root))!);
    const whole = await runSmall(folder(), { asOf: dateOfDay(LAST_DAY) });
    expect(checksums(nightly.manifest)).toEqual(checksums(whole.manifest));
  });

  test("ends on the last day that a coin has, even if the source promised a later one", async () => {
    const root = folder();
    const source = memorySource(MARKET, { newestDay: async () => LAST_DAY + 5 });
    const nowMs = (LAST_DAY + 6) * 86_400_000;
    const late = { source, nowMs };
    const { manifest } = await runPrices(root, late);
    expect(manifest.asOf).toBe(LAST_DAY);
    expect(manifest.coins.map(({ stale }) => stale)).toEqual([false, false]);
    expect((await runPrices(root, late)).manifest.asOf).toBe(LAST_DAY);
  });

  test("goes back to an earlier as_of without the later days", async () => {
    const root = folder();
    await runSmall(root);
    const asked: Asked[] = [];
    const source = memorySource(MARKET, { asked });
    const { dir } = await runSmall(root, { asOf: dateOfDay(LAST_DAY - 5), source });
    expect(asked[0], "its last days may have been revised").toMatchObject({
      fromDay: LAST_DAY - 4,
      toDay: LAST_DAY - 5,
    });
    const snapshot = await openSnapshot(dir);
    expect(snapshot.manifest.asOf).toBe(LAST_DAY - 5);
    expect(snapshot.bars("aaa")?.day.at(-1)).toBe(LAST_DAY - 5);
  });

  test("goes back after a long gap with all the days before it", async () => {
    const gapDay = LAST_DAY - 50;
    const gapped = MARKET["aaa"]!.filter(({ day }) => day < gapDay || day >= gapDay + 10);
    const source = memorySource({ ...MARKET, aaa: gapped });
    const root = folder();
    const first = await runPrices(root, { source });
    const record = { restartedAt: gapDay + 10, daysBeforeGapLeftOut: gapDay - gapped[0]!.day };
    const after = { firstDay: gapDay + 10, days: 41, quality: record };
    expect(first.manifest.coins[0]).toMatchObject(after);
    const next = await runPrices(root, { source });
    expect(next.manifest.coins[0], "although those days are not requested again").toMatchObject(
      after,
    );
    const asOf = dateOfDay(gapDay - 1);
    const back = await runPrices(root, { source, asOf });
    const days = gapped.filter(({ day }) => day < gapDay).length;
    expect(back.manifest.coins[0]).toMatchObject({ ticker: "aaa", lastDay: gapDay - 1, days });
    expect(back.manifest.coins[0]?.quality.restartedAt).toBeNull();
  });

  test("reports revised history and publishes the new value", async () => {
    const root = folder();
    await runSmall(root);
    const changed = MARKET["aaa"]!.map((row) =>
      row.day === LAST_DAY - 3 ? { ...row, close: row.close * 1.001 } : row,
    );
    const progress = watcher();
    const changedSource = memorySource({ ...MARKET, aaa: changed });
    const source: PriceSource = {
      ...changedSource,
      fetch: (coin, range) => changedSource.fetch(coin, { ...range, fromDay: LAST_DAY - 9 }),
    };
    const { manifest, dir } = await runSmall(root, { source, progress });
    expect(manifest.coins[0]?.quality.revisedDays).toBe(1);
    const [previous, ingest] = progress.reports;
    expect([previous?.facts, ingest?.facts]).toMatchObject([{ continued: true }, { revised: 1 }]);
    expect(progress.notices).toContain("aaa: the source changed 1 published day");
    const bars = (await openSnapshot(dir)).bars("aaa")!;
    expect(bars.close.at(-4)).toBe(changed.at(-4)!.close);
  });

  test("never continues the history of another source, nor real prices with made-up ones", async () => {
    const root = folder();
    await runPrices(root);
    for (const other of [{ name: "elsewhere" }, { synthetic: true }]) {
      const { asked } = await runAsking(root, other);
      expect(asked.map(({ fromDay }) => fromDay)).toEqual([null, null]);
    }
  });

  test("fetches a coin anew whose earlier symbols on the board are others", async () => {
    const root = folder();
    const earlier = [{ symbol: "OLD/USDT", until: LAST_DAY - 200, factor: 1 }];
    const [aaa, bbb] = TWO_COINS;
    const board = [{ ...aaa!, earlier }, bbb!];
    await runPrices(root);
    const fetchesOf = async (coins: readonly BoardCoin[]) => {
      const { asked, manifest } = await runAsking(root, {}, { board: coins });
      expect(manifest.coins[0]?.earlier).toEqual(coins[0]?.earlier);
      return asked.map(({ fromDay }) => fromDay);
    };
    expect(await fetchesOf(board)).toEqual([null, LAST_DAY + 1]);
    expect(await fetchesOf(board)).toEqual([LAST_DAY + 1, LAST_DAY + 1]);
    expect(await fetchesOf([{ ...aaa!, earlier: [{ ...earlier[0]!, factor: 2 }] }, bbb!])).toEqual([
      null,
      LAST_DAY + 1,
    ]);
    expect(await fetchesOf(TWO_COINS)).toEqual([null, LAST_DAY + 1]);
  });

  test("says that the last snapshot is damaged and fetches everything", async () => {
    const root = folder();
    const { dir } = await runPrices(root);
    truncateSync(writable(join(dir, "prices.arrow")), 100);
    const progress = watcher();
    const { asked, ...next } = await runAsking(root, {}, { progress });
    expect(asked[0]?.fromDay).toBeNull();
    expect(progress.notices.join()).toContain("prices.arrow has 100 bytes");
    expect(progress.notices.at(-1)).toBe("no snapshot can be continued, so all history is fetched");
    expect(await verifySnapshot(next.dir)).toEqual([]);
  });

  test.each<[string, "older" | "newer", (dir: string) => void]>([
    ["is damaged", "older", (dir) => truncateSync(writable(join(dir, "prices.arrow")), 100)],
    ["has no manifest", "older", (dir) => rmSync(join(dir, "manifest.json"))],
    ["is gone", "older", (dir) => rmSync(dir, { recursive: true })],
    ["has a manifest that the system does not read", "older", unreadable("manifest.json")],
    ["has prices that the system does not read", "older", unreadable("prices.arrow")],
    ["is not named", "newer", (dir) => writeFileSync(writable(join(dir, "..", "CURRENT")), "?\n")],
  ])("where the one in force %s continues the newest whole one", async (_, expected, harm) => {
    const root = folder();
    const older = await runPrices(root, { asOf: dateOfDay(LAST_DAY - 5) });
    const elsewhere = memorySource(MARKET, { name: "elsewhere" });
    await runPrices(root, { source: elsewhere });
    const newer = await runPrices(root);
    harm(newer.dir);
    const progress = watcher();
    const { asked, ...next } = await runAsking(root, {}, { progress });
    const { id } = { older, newer }[expected].manifest;
    expect(next.manifest.parameters["continued_from"]).toBe(id);
    expect(asked[0]?.fromDay).not.toBeNull();
    expect(progress.notices).toEqual([expect.anything(), `snapshot "${id}" is continued`]);
    expect(await verifySnapshot(next.dir)).toEqual([]);
  });

  test("continues a snapshot when only files that it does not read are damaged", async () => {
    const root = folder();
    const { dir } = await runPrices(root);
    truncateSync(writable(join(dir, "hindsight.duckdb")), 100);
    const { asked, ...next } = await runAsking(root);
    expect(asked[0]?.fromDay).not.toBeNull();
    expect(await verifySnapshot(next.dir)).toEqual([]);
  });

  test("records refused rows and filled days", async () => {
    const root = folder();
    const broken = MARKET["aaa"]!.filter(({ day }) => day !== LAST_DAY - 10).map((row) =>
      row.day === LAST_DAY - 20 ? { ...row, high: row.low / 2, raw: "as it was" } : row,
    );
    const progress = watcher();
    const { manifest } = await runPrices(root, {
      source: memorySource({ ...MARKET, aaa: broken }),
      progress,
    });
    expect(progress.reports[1]?.facts).toMatchObject({ rejected: 1, filled: 2, stale: 0 });
    const { quality } = manifest.coins[0]!;
    expect(quality.rejected).toEqual({ high_below_low: 1 });
    expect(quality.filled).toBe(2);
    expect(manifest.files.find(({ name }) => name === "rejects.parquet")?.rows).toBe(1);
    const again = await runAsking(root);
    expect(checksums(again.manifest), "a refusal of days not requested again stays").toEqual(
      checksums(manifest),
    );
  });

  test("keeps among them the one with the last days when runs go back on purpose", async () => {
    const root = folder();
    const run = async (asOf: string | undefined, second: number) =>
      (await runPrices(root, { asOf, nowMs: RUN_INSTANT_MS + second * 1000 })).manifest.id;
    const furthest = await run(undefined, 0);
    const back = [];
    for (let second = 1; second < 9; second++)
      back.push(await run(dateOfDay(LAST_DAY - second), second));
    expect(await listSnapshotIds(root)).toEqual([...back.slice(2).reverse(), furthest]);
    const source = memorySource(MARKET, { name: "elsewhere" });
    const asOf = dateOfDay(LAST_DAY - 9);
    const other = await runPrices(root, { source, asOf, nowMs: RUN_INSTANT_MS + 9000 });
    const kept = [other.manifest.id, ...back.slice(2).reverse()];
    expect(await listSnapshotIds(root), "each source has its own last days").toEqual(kept);
  });

  test("times every step and says what it did, coin by coin as they arrive", async () => {
    const arrived: string[] = [];
    let step = "";
    const progress = {
      ...watcher(),
      begin: (name: string) => void (step = name),
      advance: (done: number, total: number) => void arrived.push(`${step} ${done} of ${total}`),
    };
    await runSmall(folder(), { progress });
    expect(arrived.slice(0, 3)).toEqual(["ingest 1 of 2", "ingest 2 of 2", "indicators 1 of 2"]);
    expect(progress.reports.map(({ name }) => name)).toEqual([
      "previous",
      "ingest",
      "prices",
      "indicators",
      "buy_hold",
      "dca",
      "strategies",
      "rating_worth",
      "overfitting_index",
      "dataset",
      "dataset_robustness",
      "write",
      "publish",
      "prune",
    ]);
    const [previous, ingest, prices] = progress.reports;
    expect(previous?.facts).toEqual({ continued: false });
    expect(ingest?.facts).toMatchObject({ coins: 2, days: 460, rejected: 0 });
    expect(prices?.facts).toEqual({ rows: 460 });
  });
});
