import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { barsOfRun, storedRuns } from "../../../scripts/cli/dataset-history.ts";
import type { History } from "../../../snapshots/history.ts";
import { DATASET_RUNS } from "../../../snapshots/tables/dataset-runs.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 1, days: 1000 });
/** A run of the dataset as the table has it: behind 200 days of warm-up, up to the end of its month. */
const RUN = { start_date: BARS.day[200]!, end_date: BARS.day[949]! };

function historyOf(bars: Readonly<Record<string, Bars>>): History {
  const coins = Object.entries(bars).map(([coin, each]) => [coin, { bars: each }] as const);
  const runs = [{ rows: 0, columns: { coin: "aaa" } }];
  const tables = new Map([[DATASET_RUNS, runs]]);
  return { coins: new Map(coins), tables } as unknown as History;
}

describe("barsOfRun", () => {
  test("are the coin's days up to the end of the run, whatever came later", () => {
    expect(barsOfRun(historyOf({ aaa: BARS }), "aaa", RUN)).toEqual(sliceBars(BARS, 0, 950));
  });

  test.each([1, 400, 960])("are refused where the history began anew on day %d", (day) => {
    const shorter = historyOf({ aaa: sliceBars(BARS, day) });
    expect(() => barsOfRun(shorter, "aaa", RUN)).toThrow(
      `the history of "aaa" has begun anew since the dataset was built: the run started on ${dateOfDay(RUN.start_date)}`,
    );
  });

  test("are refused where the snapshot has no prices of the coin", () => {
    expect(() => barsOfRun(historyOf({}), "aaa", RUN)).toThrow('no prices of "aaa"');
  });
});

describe("storedRuns", () => {
  const history = historyOf({ aaa: BARS, bbb: BARS });

  test("tells a coin of the board that is too young from one that is mistyped", () => {
    const why = (coin: string) => () => storedRuns(history, coin);
    const missing = (coin: string) => `coin "${coin}" is not in the dataset of this snapshot`;
    expect(why("bbb")).toThrow(`${missing("bbb")}: it has the 1 coins with the longest history`);
    expect(why("aab")).toThrow(`${missing("aab")}; did you mean "aaa"?`);
    expect(why("xyz")).toThrow(/snapshot$/);
  });

  test("says the same of a snapshot whose dataset has no coin yet", () => {
    const young = { ...history, tables: new Map([[DATASET_RUNS, []]]) };
    expect(() => storedRuns(young, "xyz")).toThrow(/^coin "xyz" is not in .* snapshot$/);
  });
});
