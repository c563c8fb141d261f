import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorRatesAt, MEASURED_RATES } from "../../../quant/check/error-rates.ts";
import { median } from "../../../quant/sample-statistics.ts";
import { breaksBound } from "../../../scripts/dev/calibration-results.ts";
import { checkOf, normalColumns } from "./panels.ts";

const FAMILIES = readFileSync("docs/calibration.csv", "utf8").trim().split("\n");
const ALONE = readFileSync("docs/calibration-series.csv", "utf8").trim().split("\n");

type Row = Readonly<Record<string, string>>;

/** The cells of the measurement by a true Sharpe ratio, without those of shapes that are not controlled. */
function cellsAt(edge: number, [head, ...lines] = FAMILIES): Row[] {
  const names = head!.split(",");
  const rows = lines.map((line) => {
    const cells = line.match(/"[^"]*"|[^,]+|(?<=,)(?=,|$)/g)!;
    return Object.fromEntries(names.map((name, place) => [name, cells[place]!]));
  });
  return rows.filter(
    ({ kind, true_sharpe: sharpe }) => kind !== "not controlled" && Number(sharpe) === edge,
  );
}

/** As shares with three decimals, which the check quotes. */
function sharesOf(rows: readonly Row[], of: { N: number; T: number; column: string }): number[] {
  return rows
    .filter((row) => Number(row["bars"]) === of.T)
    .filter((row) => (Number(row["variants"]) > 13 ? 200 : Number(row["variants"])) === of.N)
    .map((row) => Math.round((1000 * Number(row[of.column])) / Number(row["panels"])) / 1000);
}

describe("the rates that the check quotes", () => {
  const noEdge = cellsAt(0);
  const [edge1, edge2] = [cellsAt(1), cellsAt(2)];
  test.each(MEASURED_RATES.family_step_down)(
    "are those of the tables at $variants variants of $bars bars",
    (rates) => {
      const at = { N: rates.variants, T: rates.bars };
      const skill = { ...at, column: "skill" };
      const luck = { ...at, column: "luck" };
      expect(rates.falseSkill).toBeCloseTo(Math.max(...sharesOf(noEdge, skill)), 9);
      expect(rates.power1).toBeCloseTo(median(sharesOf(edge1, skill)), 9);
      expect(rates.power2).toBeCloseTo(median(sharesOf(edge2, skill)), 9);
      expect(rates.falseLuck1).toBeCloseTo(median(sharesOf(edge1, luck)), 9);
      expect(rates.falseLuck2).toBeCloseTo(median(sharesOf(edge2, luck)), 9);
    },
  );

  test("of one series are those of its own cells, by the number of days with a return", () => {
    const rates = MEASURED_RATES.one_series.find((one) => one.variants === 1 && one.bars === 250)!;
    const own = cellsAt(0, ALONE).filter(
      ({ variants, bars, shape }) =>
        variants === "1" && bars === "250" && shape !== '"in the market 5 %"',
    );
    const shares = own.map((row) =>
      Math.round((1000 * Number(row["skill"])) / Number(row["panels"])),
    );
    expect(1000 * rates.falseSkill).toBeCloseTo(Math.max(...shares), 9);
    const few = MEASURED_RATES.one_series.filter(
      ({ variants, bars }) => variants > 1 && bars < 250,
    );
    expect(new Set(few.map(({ bars }) => bars))).toEqual(new Set([42, 100]));
  });

  test("cover every size of families, and break the promise nowhere", () => {
    const sizes = MEASURED_RATES.family_step_down.map(
      ({ variants, bars }) => `${variants} ${bars}`,
    );
    const all = [13, 200].flatMap((variants) =>
      [250, 750, 1500].map((bars) => `${variants} ${bars}`),
    );
    expect(sizes).toEqual(all);
    const broken = [...noEdge, ...cellsAt(0, ALONE)].filter((row) =>
      breaksBound(Number(row["skill"]), Number(row["panels"])),
    );
    expect(broken).toEqual([]);
  });
});

describe("a report", () => {
  const columns = normalColumns(3, 500, [0, 0, 0, 0, 0, 0]);

  test("quotes the rates at its number of trials, declared ones included", () => {
    const { verdict } = checkOf(columns);
    expect(verdict.errorRates).toBe(MEASURED_RATES.family_step_down[1]); // 13 variants of 750 bars
    expect(verdict.errorRatesReason).toBeNull();
    const declared = checkOf(columns, { nTrials: 500 }).verdict.errorRates!;
    expect([declared.variants, declared.bars]).toEqual([200, 750]);
  });

  test("of one series quotes what was measured on single series", () => {
    const one = (nTrials: number) => checkOf(columns.slice(0, 1), { nTrials }).verdict.errorRates;
    expect(one(1)!.variants).toBe(1);
    expect(one(500)!.variants).toBeGreaterThan(1);
  });

  test("quotes none where so few days with a return were never measured", () => {
    const sparse = normalColumns(3, 900, [0, 0]).map((column) =>
      column.map((value, row) => (row % 9 === 0 ? value : 0)),
    );
    const { errorRates, errorRatesReason } = checkOf(sparse).verdict;
    expect(errorRates).toBeNull();
    expect(errorRatesReason).toMatch(/^measured on records with a return .* on 250 bars or more/);
  });
});

describe("errorRatesAt", () => {
  const sizeAt = (trials: number, bars: number) => {
    const { variants, bars: at } = errorRatesAt("family_step_down", { trials, bars }).errorRates!;
    return [variants, at];
  };

  test("takes the nearest size by its logarithm, the smaller on a tie", () => {
    expect(sizeAt(1, 125)).toEqual([13, 250]);
    expect(sizeAt(3, 433)).toEqual([13, 250]); // sqrt(250 x 750) is 433.01
    expect(sizeAt(4, 434)).toEqual([13, 750]);
    expect(sizeAt(50, 1060)).toEqual([13, 750]); // sqrt(2600) is 50.99, sqrt(750 x 1500) is 1060.7
    expect(sizeAt(51, 1061)).toEqual([200, 1500]);
    expect(sizeAt(1e6, 1e6)).toEqual([200, 1500]);
  });
});
