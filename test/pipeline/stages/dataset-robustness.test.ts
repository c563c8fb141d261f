import { beforeAll, describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { THIS_THREAD } from "../../../pipeline/compute-pool.ts";
import { dataset } from "../../../pipeline/stages/dataset.ts";
import { datasetRobustness } from "../../../pipeline/stages/dataset-robustness.ts";
import type { StageInput, WholeTables } from "../../../pipeline/stages/stage.ts";
import { rowsOfBlocks } from "../../../snapshots/dataset-tables.ts";
import { DATASET_ROBUSTNESS } from "../../../snapshots/tables/dataset-robustness.ts";
import { garbledMarket, oldMarket, stageInput, wholeTables } from "../../support/stage-input.ts";

const MARKET = oldMarket(2, 1100);
const day = (date: string) => dayOfDate(date)!;
const AS_OF = day("2022-08-10");
const stage = (draws: number) => datasetRobustness(THIS_THREAD, draws);
const run = async (input: StageInput, draws = 2) =>
  await wholeTables(await stage(draws).run(input));
const blocksOf = (tables: WholeTables) => tables.get(DATASET_ROBUSTNESS)!;

describe("the stage dataset_robustness", () => {
  let about: WholeTables;
  let made: WholeTables;
  beforeAll(async () => {
    about = await wholeTables(await dataset(THIS_THREAD).run(stageInput(MARKET, AS_OF)));
    made = await run(stageInput(MARKET, AS_OF));
  });

  test("has one row for each check, with its draws", () => {
    const rows = rowsOfBlocks(blocksOf(made));
    expect(new Set(rows.map(({ check }) => check)).size).toBe(rows.length);
    expect(rows.find(({ check }) => check === "split_70")).toMatchObject({ coins: 2, draws: 2 });
    const checks = rows.map(({ check }) => check);
    expect(checks, "the history is too short for a year or a quarter").not.toContain(
      "walk_forward",
    );
  });

  test("does not see the days after its month", async () => {
    const later = stageInput(garbledMarket(MARKET, day("2022-07-31")), day("2022-08-30"));
    expect(await run(later)).toEqual(made);
  });

  test("is kept with its dataset, even by a run that would skip it", async () => {
    const published = [new Map([...about, ...made])];
    const garbled = garbledMarket(MARKET, day("2020-01-01"));
    const kept = await run(stageInput(garbled, AS_OF, { published }), 0);
    expect(blocksOf(kept)).toBe(blocksOf(made));
  });

  test("is made when the published dataset lacks it, or is of another month", async () => {
    expect(await run(stageInput(MARKET, AS_OF, { published: [about] }))).toEqual(made);
    const published = [new Map([...about, ...made])];
    const other = await run(stageInput(MARKET, day("2022-09-30"), { published }), 0);
    expect(blocksOf(other)).toEqual([]);
  });

  test("is empty without draws, and without coins", async () => {
    expect(blocksOf(await run(stageInput(MARKET, AS_OF), 0))).toEqual([]);
    expect(blocksOf(await run(stageInput({}, AS_OF)))).toEqual([]);
  });
});
