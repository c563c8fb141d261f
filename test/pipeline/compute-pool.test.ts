import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Compute, ComputePool } from "../../pipeline/compute-pool.ts";
import { THIS_THREAD, computePoolOf } from "../../pipeline/compute-pool.ts";
import { catalogueFingerprint } from "../../pipeline/catalogue-fingerprint.ts";
import { coinRecord } from "../../quant/dataset/coin-record.ts";
import { DATASET_COINS_MAX, DATASET_METHOD } from "../../quant/dataset/definition.ts";
import type { GridFills } from "../../quant/engine/grid-fills.ts";
import { coinMonth, coinRuns } from "../../quant/overfitting/index-coin.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { PANEL_DAYS } from "../../quant/overfitting/index-draw.ts";
import { panelOf } from "../../quant/overfitting/index-panel.ts";
import { madeUpBars } from "../support/made-up-bars.ts";

/** Workers run the built files, which `make test` builds first. */
const BUILT = new URL("../../dist/pipeline/compute-threads.js", import.meta.url);
const HISTORIES = [1, 2, 3].map((seed) => ({
  coin: `coin-${seed}`,
  bars: madeUpBars({ seed, days: PANEL_DAYS }),
}));
const LAST_DAY = HISTORIES[0]!.bars.day.at(-1)!;

test("the built worker is there", () => {
  expect(existsSync(fileURLToPath(BUILT)), "run `make build` first").toBe(true);
});

describe("openComputePool", () => {
  test("gives the same bits on threads as on this thread", async () => {
    const { openComputePool } = (await import(BUILT.href)) as {
      openComputePool: () => ComputePool;
    };
    const threads = openComputePool();
    try {
      const [history] = HISTORIES;
      const coin = { history: history!, lastDays: [LAST_DAY] };
      const bars = HISTORIES.map((each) => each.bars);
      const panel = panelOf(bars, { lastDay: LAST_DAY, days: PANEL_DAYS, share: true });
      const draw = { panel, seed: 24_311, draw: 3 };
      const [records, months, index] = await Promise.all([
        threads.datasetCoin(history!),
        threads.indexCoin(coin),
        threads.indexDraw(draw),
      ]);
      expect(records).toEqual(await THIS_THREAD.datasetCoin(history!));
      expect(months).toEqual(await THIS_THREAD.indexCoin(coin));
      expect(index).toEqual(await THIS_THREAD.indexDraw(draw));
      const [, other] = HISTORIES;
      const changed = { coin: history!.coin, bars: other!.bars };
      await threads.indexCoin(coin); // what it keeps is only good for the prices it had
      expect(await threads.datasetCoin(changed)).toEqual(await THIS_THREAD.datasetCoin(changed));
      await threads.indexCoin(coin);
      expect(await threads.datasetCoin(history!)).toEqual(records);
    } finally {
      await threads.close();
    }
  });
});

describe("the rules of a coin's runs", () => {
  /** A pool whose threads answer nothing, and the fills that each of their jobs came with. */
  function watched() {
    const given: (GridFills | undefined)[] = [];
    const compute = (_: string, job: { readonly fills?: GridFills }) => {
      given.push(job.fills);
      return Promise.resolve();
    };
    const own = { parallel: 2, close: () => Promise.resolve() };
    return { pool: computePoolOf(compute as unknown as Compute, own), given };
  }

  const board = (coins: number, daysOf: (place: number) => number) =>
    Array.from({ length: coins }, (_, place) => ({
      coin: `coin-${place}`,
      bars: madeUpBars({ seed: place, days: daysOf(place) }),
    }));

  test("are followed once for the index and the dataset, and kept no longer", async () => {
    const { pool, given } = watched();
    const [history, other] = board(2, () => 220);
    await pool.indexCoin({ history: history!, lastDays: [] });
    await pool.indexCoin({ history: other!, lastDays: [] });
    await pool.datasetCoin(history!);
    await pool.datasetCoin(history!);
    expect(given[2], "the dataset has what the index found").toBe(given[0]);
    expect(given[3], "it is found anew").not.toBe(given[0]);
    expect(given[3]).toEqual(given[0]);
    expect(given[1]).not.toEqual(given[0]);
  });

  test("are kept for as many coins as the dataset takes: the longest, then the first on the board", async () => {
    const { pool, given } = watched();
    const histories = board(DATASET_COINS_MAX + 2, (place) => (place === 3 ? 210 : 220));
    for (const history of histories) await pool.indexCoin({ history, lastDays: [] });
    const found = given.splice(0);
    for (const history of histories) await pool.datasetCoin(history);
    const foundAnew = histories.map((_, place) => place).filter((n) => given[n] !== found[n]);
    expect(foundAnew).toEqual([3, DATASET_COINS_MAX + 1]);
  });
});

describe("the memory that pieces of work share", () => {
  test("leaves nothing to the next piece and takes nothing from the last", async () => {
    const [history] = HISTORIES;
    const longer = { coin: "longer", bars: madeUpBars({ seed: 9, days: PANEL_DAYS + 100 }) };
    const record = await THIS_THREAD.datasetCoin(longer);
    const months = await THIS_THREAD.indexCoin({ history: longer, lastDays: [LAST_DAY] });
    expect(await THIS_THREAD.datasetCoin(history!)).toEqual(coinRecord(history!));
    const runs = coinRuns(history!.bars);
    expect(await THIS_THREAD.indexCoin({ history: history!, lastDays: [LAST_DAY] })).toEqual([
      coinMonth(runs, LAST_DAY),
    ]);
    expect(record).toEqual(coinRecord(longer));
    expect(months).toEqual([coinMonth(coinRuns(longer.bars), LAST_DAY)]);
  });
});

test("a catalogue belongs to one method and one version of the index", () => {
  // Another fingerprint means that templates or variants have changed. Raise DATASET_METHOD and
  // INDEX_VERSION; otherwise published months and the frozen dataset would be continued under rules that
  // did not make them.
  expect([catalogueFingerprint(), DATASET_METHOD, INDEX_VERSION]).toEqual([
    "1c858a55cda3f049",
    2,
    2,
  ]);
});
