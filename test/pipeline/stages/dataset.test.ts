import { beforeAll, describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { THIS_THREAD, type ComputePool } from "../../../pipeline/compute-pool.ts";
import { dataset } from "../../../pipeline/stages/dataset.ts";
import type { StageInput, WholeTables } from "../../../pipeline/stages/stage.ts";
import { rowsOfBlocks } from "../../../snapshots/dataset-tables.ts";
import { DATASET } from "../../../snapshots/tables/dataset.ts";
import { DATASET_AGGREGATES } from "../../../snapshots/tables/dataset-aggregates.ts";
import { DATASET_BLOCKS } from "../../../snapshots/tables/dataset-blocks.ts";
import { DATASET_CELLS } from "../../../snapshots/tables/dataset-cells.ts";
import { DATASET_PICKS } from "../../../snapshots/tables/dataset-picks.ts";
import { DATASET_RUNS } from "../../../snapshots/tables/dataset-runs.ts";
import type { Table } from "../../../snapshots/tables/table.ts";
import { garbledMarket, oldMarket, stageInput, wholeTables } from "../../support/stage-input.ts";

/** Two coins that are old enough from 2022-07-18 and 2022-07-25 on. */
const MARKET = oldMarket(2, 1100);
const day = (date: string) => dayOfDate(date)!;
const stage = dataset(THIS_THREAD);
const run = async (input: StageInput) => await wholeTables(await stage.run(input));

function rowsOf(output: WholeTables, table: Table) {
  return rowsOfBlocks(output.get(table)!);
}

describe("the stage dataset", () => {
  let built: WholeTables;
  beforeAll(async () => {
    built = await run(stageInput(MARKET, day("2022-08-10")));
  });

  test("is of the last complete month, with a row for each run, pick and cell", () => {
    expect(rowsOf(built, DATASET)).toEqual([
      expect.objectContaining({
        version: "2022-07",
        as_of: day("2022-07-31"),
        coins: 2,
        runs: 572,
        picks: 44,
        last_date: day("2022-07-31"),
      }),
    ]);
    expect(rowsOf(built, DATASET_RUNS)).toHaveLength(572);
    expect(rowsOf(built, DATASET_BLOCKS)).toHaveLength(572);
    expect(rowsOf(built, DATASET_PICKS)).toHaveLength(44);
    expect(rowsOf(built, DATASET_CELLS)).toHaveLength(44);
    const scopes = rowsOf(built, DATASET_AGGREGATES).map(({ scope }) => scope);
    expect([...new Set(scopes)]).toEqual(["all", "template", "coin", "family"]);
  });

  test("does not see the days after its month", async () => {
    const later = await run(
      stageInput(garbledMarket(MARKET, day("2022-07-31")), day("2022-08-30")),
    );
    for (const [table, blocks] of built)
      expect(later.get(table), `table ${table.name}`).toEqual(blocks);
  });

  test("is built again when the next month is complete", async () => {
    const next = await run(stageInput(MARKET, day("2022-08-31"), { published: [built] }));
    expect(rowsOf(next, DATASET)[0]).toMatchObject({ version: "2022-08" });
    expect(next.get(DATASET_RUNS)).not.toEqual(built.get(DATASET_RUNS));
  });

  test.each([
    ["another method", { method: [0] }],
    ["another catalogue", { catalogue: "0123456789abcdef" }],
  ])("is built again when the last was of %s", async (_, columns) => {
    const [about] = built.get(DATASET)!;
    const other = { ...about!, columns: { ...about!.columns, ...columns } };
    const previous = new Map(built).set(DATASET, [other]).set(DATASET_RUNS, []);
    const again = await run(stageInput(MARKET, day("2022-08-10"), { published: [previous] }));
    for (const [table, blocks] of built)
      expect(again.get(table), `table ${table.name}`).toEqual(blocks);
  });

  test("is built again when the last snapshot lacks one of its tables", async () => {
    const previous = new Map(built);
    previous.delete(DATASET_BLOCKS);
    const again = await run(stageInput(MARKET, day("2022-08-10"), { published: [previous] }));
    expect(again.get(DATASET_BLOCKS)).toEqual(built.get(DATASET_BLOCKS));
  });

  test("has one row and no runs when no coin is old enough", async () => {
    const empty = await run(stageInput(MARKET, day("2022-05-31")));
    expect(rowsOf(empty, DATASET)).toEqual([
      expect.objectContaining({
        version: "2022-05",
        coins: 0,
        runs: 0,
        picks: 0,
        first_date: null,
      }),
    ]);
    expect(rowsOf(empty, DATASET_RUNS)).toEqual([]);
  });

  test("computes no further coin when its rows are not taken any more", async () => {
    const computed: string[] = [];
    const pool: ComputePool = {
      ...THIS_THREAD,
      async datasetCoin(history) {
        computed.push(history.coin);
        return await THIS_THREAD.datasetCoin(history);
      },
    };
    const output = await dataset(pool).run(stageInput(MARKET, day("2022-08-10")));
    for await (const [table] of output) if (table === DATASET_RUNS) break; // as after a failure
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(computed).toEqual(["coin-0"]);
  });
});
