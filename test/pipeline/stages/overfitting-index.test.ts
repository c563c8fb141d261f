import { beforeAll, describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { THIS_THREAD, type ComputePool } from "../../../pipeline/compute-pool.ts";
import type { WholeTables } from "../../../pipeline/stages/stage.ts";
import { overfittingIndex } from "../../../pipeline/stages/overfitting-index.ts";
import { rowsOfBlocks, type Row } from "../../../snapshots/dataset-tables.ts";
import { INDEX_VERSION } from "../../../quant/overfitting/index-definition.ts";
import { OVERFITTING_INDEX } from "../../../snapshots/tables/overfitting-index.ts";
import { cutMarket, garbledMarket, oldMarket, stageInput } from "../../support/stage-input.ts";

/** Ten coins; the last one has its 1,295 days from 2023-09-20 on. */
const MARKET = oldMarket(10, 1440);
const day = (date: string) => dayOfDate(date)!;
const stage = overfittingIndex(THIS_THREAD, { draws: 2 });
const withoutDraws = overfittingIndex(THIS_THREAD, { draws: 0 });

function rowsOf(output: WholeTables): Row[] {
  return rowsOfBlocks(output.get(OVERFITTING_INDEX)!);
}

/** A month without what depends on when it was computed. */
function timeless(row: Row | undefined): Row {
  const dated = (name: string) =>
    ["backfilled", "low", "high", "significant", "luck_share"].includes(name) ||
    name.startsWith("null_band");
  return Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !dated(name)));
}

describe("the stage overfitting_index", () => {
  let whole: WholeTables;
  const steps: [number, number][] = [];
  beforeAll(async () => {
    whole = await stage.run(stageInput(MARKET, day("2023-12-05"), { steps }));
  });

  test("has every month with 10 coins up to the last complete one, all but that one backfilled", () => {
    expect(rowsOf(whole).map(({ month, backfilled }) => [month, backfilled])).toEqual([
      ["2023-09", true],
      ["2023-10", true],
      ["2023-11", false],
    ]);
    for (const row of rowsOf(whole)) {
      expect(row).toMatchObject({
        coins: 10,
        runs: 2860,
        version: INDEX_VERSION,
        null_band_month: "2023-11",
      });
      expect(row["value"]).toBeGreaterThan(0);
    }
  });

  test("says how far it is, coins first and then draws", () => {
    expect(steps.at(0)).toEqual([1, 12]);
    expect(steps.at(-1)).toEqual([12, 12]);
  });

  test("a month is the same from prices that end with it", async () => {
    const last = day("2023-10-31");
    const cut = rowsOf(await withoutDraws.run(stageInput(cutMarket(MARKET, last), last)));
    expect(cut.map(({ month }) => month)).toEqual(["2023-09", "2023-10"]);
    expect(timeless(cut[0])).toEqual(timeless(rowsOf(whole)[0]));
    expect(timeless(cut[1])).toEqual(timeless(rowsOf(whole)[1]));
    const bandless = { null_band_draws: 0, low: null, significant: null, luck_share: null };
    expect(cut[1]).toMatchObject({ backfilled: false, ...bandless });
  });

  test("has only the newest of them where that is asked for, each the same", async () => {
    const newest = overfittingIndex(THIS_THREAD, { draws: 0, monthsMax: 2 });
    const rows = rowsOf(await newest.run(stageInput(MARKET, day("2023-12-05"))));
    expect(rows.map(timeless)).toEqual(rowsOf(whole).slice(1).map(timeless));
  });

  test("a month does not change when later prices are garbled", async () => {
    const market = garbledMarket(MARKET, day("2023-10-31"));
    const rows = rowsOf(await withoutDraws.run(stageInput(market, day("2023-12-05"))));
    expect(timeless(rows[0])).toEqual(timeless(rowsOf(whole)[0]));
    expect(timeless(rows[1])).toEqual(timeless(rowsOf(whole)[1]));
    expect(rows[2]!["value"]).not.toBe(rowsOf(whole)[2]!["value"]);
    expect(rows[2]!["input_hash"]).not.toBe(rowsOf(whole)[2]!["input_hash"]);
  });

  test("appends a new month with a band of its own and leaves the others theirs", async () => {
    const first = await stage.run(stageInput(MARKET, day("2023-10-31")));
    const input = stageInput(MARKET, day("2023-11-30"), { published: [first] });
    const rows = rowsOf(await stage.run(input));
    expect(rows.slice(0, 2)).toEqual(rowsOf(first));
    expect(rows[2]).toMatchObject({
      month: "2023-11",
      null_band_month: "2023-11",
      backfilled: false,
    });
    expect(rows[1]).toMatchObject({
      month: "2023-10",
      null_band_month: "2023-10",
      backfilled: false,
    });
    expect(timeless(rows[2])).toEqual(timeless(rowsOf(whole)[2]));
  });

  test("gives months that were published without draws a band, and changes nothing else of them", async () => {
    const at = day("2023-12-05");
    const bandless = await withoutDraws.run(stageInput(MARKET, at));
    const steps: [number, number][] = [];
    const input = stageInput(garbledMarket(MARKET, day("2023-11-30")), at, {
      published: [bandless],
      steps,
    });
    const made = await stage.run(input);
    expect(rowsOf(made), "the same as with draws at once").toEqual(rowsOf(whole));
    expect(steps, "draws and nothing else").toEqual([
      [1, 2],
      [2, 2],
    ]);
    const again = await stage.run(stageInput(MARKET, at, { published: [made] }));
    expect(again.get(OVERFITTING_INDEX)).toEqual(made.get(OVERFITTING_INDEX));
  });

  test("gives the newest month's band to those before it that have none, and leaves the bands of others", async () => {
    const first = await stage.run(stageInput(MARKET, day("2023-09-30")));
    const published = [
      await withoutDraws.run(stageInput(MARKET, day("2023-10-31"), { published: [first] })),
    ];
    const rows = rowsOf(await stage.run(stageInput(MARKET, day("2023-11-30"), { published })));
    expect(rows.map((row) => row["null_band_month"])).toEqual(["2023-09", "2023-11", "2023-11"]);
    expect(rows[1]).toEqual({ ...rowsOf(whole)[1], backfilled: false });
  });

  test("leaves months without a band where the board's coins no longer make one", async () => {
    const at = day("2023-10-31");
    const published = [await withoutDraws.run(stageInput(MARKET, at))];
    const few = Object.fromEntries(Object.entries(MARKET).slice(0, 9));
    const rows = rowsOf(await stage.run(stageInput(few, at, { published })));
    expect(rows.map((row) => row["null_band_draws"])).toEqual([0, 0]);
  });

  test("computes again what is of another version, and leaves out what is later than the run", async () => {
    const blocks = whole.get(OVERFITTING_INDEX)!.map((block, index) => ({
      ...block,
      columns: {
        ...block.columns,
        version: [INDEX_VERSION - (index === 0 ? 1 : 0)],
        value: Float64Array.of(99),
      },
    }));
    const previous = new Map([[OVERFITTING_INDEX, blocks]]);
    const rows = rowsOf(
      await withoutDraws.run(stageInput(MARKET, day("2023-11-29"), { published: [previous] })),
    );
    expect(rows.map(({ month, value }) => [month, value])).toEqual([
      ["2023-09", rowsOf(whole)[0]!["value"]],
      ["2023-10", 99],
    ]);
  });

  test("is the same in batches of months, and the newest is computed last", async () => {
    const newest: number[] = [];
    const watched: ComputePool = {
      ...THIS_THREAD,
      async indexCoin(job) {
        newest.push(job.lastDays.at(-1)!);
        return await THIS_THREAD.indexCoin(job);
      },
    };
    const batched = overfittingIndex(watched, { draws: 0, partsMax: 20 });
    const rows = rowsOf(await batched.run(stageInput(MARKET, day("2023-12-05"))));
    expect(rows.map(timeless)).toEqual(rowsOf(whole).map(timeless));
    expect([...new Set(newest)]).toEqual([day("2023-10-31"), day("2023-11-30")]);
  });

  test("is empty on a board with too few old coins", async () => {
    const few = await stage.run(stageInput(oldMarket(9, 1440), day("2023-12-05")));
    expect(few.get(OVERFITTING_INDEX)).toEqual([]);
  });
});
