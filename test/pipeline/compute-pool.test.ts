import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { THIS_THREAD, type ComputePool } from "../../pipeline/compute-pool.ts";
import { catalogueFingerprint } from "../../pipeline/catalogue-fingerprint.ts";
import { coinRecord } from "../../quant/dataset/coin-record.ts";
import { DATASET_METHOD } from "../../quant/dataset/definition.ts";
import { coinMonth, coinRuns } from "../../quant/overfitting/index-coin.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { PANEL_DAYS } from "../../quant/overfitting/index-months.ts";
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
  const now = [catalogueFingerprint(), DATASET_METHOD, INDEX_VERSION];
  expect(now).toEqual(["1c858a55cda3f049", 4, 2]);
});
