import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const CATALOGUE_FILE = "../../../quant/strategies/catalogue.ts";

/** Everything loaded anew over a catalogue with one template more, in front of the others. */
beforeAll(async () => {
  vi.resetModules();
  const catalogue = await vi.importActual<object>(CATALOGUE_FILE);
  const added = { ...CATALOGUE[3]!, name: "added_template" };
  vi.doMock(CATALOGUE_FILE, () => ({ ...catalogue, CATALOGUE: [added, ...CATALOGUE] }));
});

afterAll(() => {
  vi.doUnmock(CATALOGUE_FILE);
  vi.resetModules();
});

describe("a template added to the catalogue", () => {
  test("is in the table of templates", async () => {
    const { strategiesBlock } = await import("../../../snapshots/tables/strategies.ts");
    expect(strategiesBlock().rows).toBe(CATALOGUE.length + 1);
  });

  test("changes neither the dataset nor the index", async () => {
    const { coinRecord } = await import("../../../quant/dataset/coin-record.ts");
    const { coinMonth, coinRuns } = await import("../../../quant/overfitting/index-coin.ts");
    const { coinPremiums } = await import("../../../quant/robustness/coin-premiums.ts");
    const { DATASET_RUNS } = await import("../../../quant/dataset/definition.ts");
    const { catalogueFingerprint } = await import("../../../pipeline/catalogue-fingerprint.ts");
    expect(DATASET_RUNS).toBe(11_440);
    expect(catalogueFingerprint()).toBe("1c858a55cda3f049");
    const bars = madeUpBars({ seed: 1, days: 1300 });
    const { cells } = coinRecord({ coin: "aaa", bars });
    expect(cells.map(({ template }) => template)).toEqual(STUDIED.map(({ name }) => name));
    const month = coinMonth(coinRuns(bars), bars.day.at(-1)!);
    expect([month.runs, month.defaultsOutOfSample.length]).toEqual([286, 22]);
    const { sharpes } = coinPremiums({ bars, firstDay: bars.day[200]!, walks: false });
    expect(sharpes).toHaveLength(22);
  });
});
