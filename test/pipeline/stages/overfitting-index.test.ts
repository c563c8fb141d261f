import { beforeAll, describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { THIS_THREAD, type ComputePool } from "../../../pipeline/compute-pool.ts";
import type { WholeTables } from "../../../pipeline/stages/stage.ts";
import { overfittingIndex } from "../../../pipeline/stages/overfitting-index.ts";
import { rowsOfBlocks, type Row } from "../../../snapshots/dataset-tables.ts";
import { INDEX_VERSION } from "../../../quant/overfitting/index-definition.ts";
import { OVERFITTING_INDEX_DRAWS } from "../../../snapshots/tables/overfitting-index-draws.ts";
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

/** The rows of a stage that draws nothing. */
async function drawless(...given: Parameters<typeof stageInput>): Promise<Row[]> {
  return rowsOf(await withoutDraws.run(stageInput(...given)));
}

function drawsOf(output: WholeTables): Row[] {
  return rowsOfBlocks(output.get(OVERFITTING_INDEX_DRAWS)!);
}

const BANDLESS = { null_band_draws: 0, low: null, significant: null, luck_share: null };

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
      expect(row).toMatchObject({ coins: 10, runs: 2860, version: INDEX_VERSION });
      expect(row["value"]).toBeGreaterThan(0);
    }
  });

  test("draws for the newest month alone, and the others have no band yet", () => {
    expect(rowsOf(whole).map((row) => row["null_band_month"])).toEqual(["", "", "2023-11"]);
    expect(rowsOf(whole)[0]).toMatchObject(BANDLESS);
    expect(drawsOf(whole).map(({ month, draw }) => [month, draw])).toEqual([
      ["2023-11", 0],
      ["2023-11", 1],
    ]);
  });

  test("a month's band is what its draws in the table give", () => {
    const values = drawsOf(whole).map(({ value }) => Number(value));
    const row = rowsOf(whole)[2]!;
    const [one, other] = values as [number, number];
    expect(row["null_band_mean"]).toBeCloseTo((one + other) / 2, 12);
    expect(row["null_band_deviation"]).toBeCloseTo(Math.abs(one - other) / Math.SQRT2, 12);
  });

  test("draws for the newest month without in each run, from its own coins, and keeps what was drawn", async () => {
    const at = day("2023-12-05");
    let night = whole;
    for (const drawn of [2, 3, 3]) {
      const next = await stage.run(stageInput(MARKET, at, { published: [night] }));
      expect(new Set(drawsOf(next).map(({ month }) => month)).size).toBe(drawn);
      expect(rowsOf(next).map(timeless)).toEqual(rowsOf(whole).map(timeless));
      expect(rowsOf(next)[2]).toEqual(rowsOf(whole)[2]);
      night = next;
    }
    const months = ["2023-09", "2023-10", "2023-11"];
    expect(rowsOf(night).map((row) => row["null_band_month"])).toEqual(months);
    const allAtOnce = overfittingIndex(THIS_THREAD, { draws: 2, bandsMax: 9 });
    const once = await allAtOnce.run(stageInput(MARKET, at));
    expect(rowsOf(once)).toEqual(rowsOf(night));
    expect(drawsOf(once)).toEqual(drawsOf(night));
  });

  test("does not take another month's band for a month's own", async () => {
    const blocks = whole.get(OVERFITTING_INDEX)!;
    const borrowed = { ...blocks[0]!.columns, null_band_month: "2023-11", null_band_draws: [2] };
    const published = [new Map([[OVERFITTING_INDEX, [{ rows: 1, columns: borrowed }]]])];
    const rows = await drawless(MARKET, day("2023-10-15"), { published });
    expect(rows[0]).toMatchObject({ ...BANDLESS, null_band_month: "" });
  });

  test("says how far it is, coins first and then draws", () => {
    expect(steps.at(0)).toEqual([1, 12]);
    expect(steps.at(-1)).toEqual([12, 12]);
  });

  test("a month is the same from prices that end with it", async () => {
    const last = day("2023-10-31");
    const cut = await drawless(cutMarket(MARKET, last), last);
    expect(cut.map(({ month }) => month)).toEqual(["2023-09", "2023-10"]);
    expect(cut.map(timeless)).toEqual(rowsOf(whole).slice(0, 2).map(timeless));
    expect(cut[1]).toMatchObject({ backfilled: false, ...BANDLESS });
  });

  test("has only the newest of them where that is asked for, each the same", async () => {
    const newest = overfittingIndex(THIS_THREAD, { draws: 0, monthsMax: 2 });
    const rows = rowsOf(await newest.run(stageInput(MARKET, day("2023-12-05"))));
    expect(rows.map(timeless)).toEqual(rowsOf(whole).slice(1).map(timeless));
  });

  test("a month does not change when later prices are garbled", async () => {
    const market = garbledMarket(MARKET, day("2023-10-31"));
    const rows = await drawless(market, day("2023-12-05"));
    expect(rows.slice(0, 2).map(timeless)).toEqual(rowsOf(whole).slice(0, 2).map(timeless));
    for (const name of ["value", "input_hash"])
      expect(rows[2]![name]).not.toBe(rowsOf(whole)[2]![name]);
  });

  test("appends a new month with a band of its own and leaves the others theirs", async () => {
    const first = await stage.run(stageInput(MARKET, day("2023-10-31")));
    const input = stageInput(MARKET, day("2023-11-30"), { published: [first] });
    const rows = rowsOf(await stage.run(input));
    expect(rows.slice(0, 2)).toEqual(rowsOf(first));
    for (const [place, month] of [
      [1, "2023-10"],
      [2, "2023-11"],
    ] as const)
      expect(rows[place]).toMatchObject({ month, null_band_month: month, backfilled: false });
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
    const again = await withoutDraws.run(stageInput(MARKET, at, { published: [made] }));
    expect(again.get(OVERFITTING_INDEX)).toEqual(made.get(OVERFITTING_INDEX));
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
    const rows = await drawless(MARKET, day("2023-11-29"), { published: [previous] });
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
