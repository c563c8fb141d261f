import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { mean, variance } from "../../../quant/sample-statistics.ts";
import { AGAINST_COIN, coinShapes } from "../../../scripts/dev/calibration-coins.ts";
import type { Shape } from "../../../scripts/dev/calibration-shapes.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { PRICES_HEADER } from "../../support/prices-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Days that gain half a percent on average. */
const BARS = madeUpBars({ seed: 4, days: 1_200 });
const RISING = BARS.close.map((close, row) => close * 1.005 ** row);

function shapesOfOneCoin(): readonly Shape[] {
  const folder = temporaryFolder("calibration");
  const rows = Array.from(BARS.day, (day, row) => {
    const scale = RISING[row]! / BARS.close[row]!;
    const cells = [BARS.open, BARS.high, BARS.low, BARS.close].map(
      (column) => column[row]! * scale,
    );
    return [dateOfDay(day), ...cells, BARS.volume[row]!].join(",");
  });
  writeFileSync(join(folder, "abc.csv"), [PRICES_HEADER, ...rows, ""].join("\n"));
  writeFileSync(join(folder, "short.csv"), [PRICES_HEADER, ...rows.slice(0, 900), ""].join("\n"));
  return coinShapes(folder);
}

describe("real coins", () => {
  const [cash, coin, range] = shapesOfOneCoin();

  test.each([1, 13, 286])("are traded by %d variants", (variants) => {
    const { columns } = coin!.draw({ variants, bars: 250 }, seededRandom(1, variants));
    expect(columns.map((column) => column.length)).toEqual(Array<number>(variants).fill(250));
    expect(columns.some((column) => column.some((value) => value !== 0))).toBe(true);
  });

  test.each([13, 200])(
    "are traded over all lookbacks of 5 to 200 days, in %d steps",
    (variants) => {
      const made = range!.draw({ variants, bars: 250 }, seededRandom(1, variants));
      expect([made.columns.length, made.coin]).toEqual([variants, undefined]);
      const days = (column: Float64Array) => column.filter((value) => value !== 0).length;
      // A short lookback changes sides more often.
      const changes = ([...column]: Float64Array) =>
        column.filter((value, row) => row > 0 && (value === 0) !== (column[row - 1] === 0)).length;
      expect(changes(made.columns[0]!)).toBeGreaterThan(changes(made.columns.at(-1)!));
      expect(days(made.columns[0]!)).toBeGreaterThan(0);
    },
  );

  test("go through days of their history in blocks of 20", () => {
    const made = coin!.draw({ variants: 1, bars: 400 }, seededRandom(2, 1)).coin!;
    const history = Array.from(RISING.subarray(1), (close, row) => close / RISING[row]! - 1);
    const places = Array.from(made, (value) =>
      history.findIndex((day) => Math.abs(day - value) < 1e-9),
    );
    expect(places.filter((place) => place < 0)).toEqual([]);
    // The window begins one day into a block, since its 201 days before are ten blocks and a day.
    const follows = places.map((place, row) => row > 0 && place === places[row - 1]! + 1);
    const breaks = [...follows.keys()].filter((row) => row > 0 && !follows[row]);
    expect(breaks.every((row) => row % 20 === 19)).toBe(true);
    expect(breaks.length).toBeGreaterThan(15);
  });

  test("keep their drift against the coin only", () => {
    const pooled = (shape: Shape) =>
      Array.from({ length: 40 }, (_, panel) =>
        shape.draw({ variants: 13, bars: 500 }, seededRandom(3, panel)).columns.map(mean),
      ).map((means) => mean(means));
    const error = (values: readonly number[]) => Math.sqrt(variance(values) / values.length);
    const [without, kept] = [pooled(cash!), pooled(coin!)];
    expect(Math.abs(mean(without))).toBeLessThan(4 * error(without));
    expect(mean(kept)).toBeGreaterThan(8 * error(kept));
    expect(cash!.draw({ variants: 1, bars: 100 }, seededRandom(1, 1)).coin).toBeUndefined();
    expect(coin!.name).toBe(AGAINST_COIN);
  });
});
