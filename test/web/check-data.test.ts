import { expect, test } from "vitest";
import { barsOfJson, barsPath, jsonOfBars, type BarsJson } from "../../web/bars-data.ts";
import { pageTypeOf } from "../../web/paths.ts";
import { jsonOfRuns, RUNS_PATH, runsOfJson, type RunsJson } from "../../web/runs-data.ts";
import { NO_ENTRIES, optionsOf } from "../../web/browser/check-fields.tsx";
import { madeUpBars } from "../support/made-up-bars.ts";

const sent = <Json>(json: Json) => JSON.parse(JSON.stringify(json)) as Json;

test("prices arrive as they were sent, bit by bit", () => {
  const bars = madeUpBars({ seed: 3, days: 40 });
  const late = { ...bars, day: bars.day.map((day) => day + 7) };
  expect(barsOfJson(sent<BarsJson>(jsonOfBars(late)))).toEqual(late);
});

test("runs arrive as they were sent; a Sharpe ratio that doesn't exist stays NaN", () => {
  const runs = [
    {
      coin: "btc",
      inSampleSharpe: Float64Array.of(1.5, NaN),
      inSampleDays: Int32Array.of(700, 700),
      laterSharpe: Float64Array.of(NaN, -0.25),
    },
  ];
  expect(runsOfJson(sent<readonly RunsJson[]>(jsonOfRuns(runs)))).toEqual([
    { coin: "btc", inSampleSharpe: 1.5, inSampleDays: 700, laterSharpe: NaN },
    { coin: "btc", inSampleSharpe: NaN, inSampleDays: 700, laterSharpe: -0.25 },
  ]);
});

test("there are prices of the coins of the board alone", () => {
  const coins = new Set(["btc"]);
  const subjects = { coins, priced: coins, templates: new Set<string>() };
  expect(pageTypeOf(barsPath("btc"), subjects)).toBe("json");
  expect(pageTypeOf(barsPath("nope"), subjects)).toBeUndefined();
  expect(pageTypeOf("/coins/btc/bars.csv", subjects)).toBeUndefined();
  expect(pageTypeOf(RUNS_PATH, subjects)).toBe("json");
  expect(pageTypeOf(barsPath("btc"), { ...subjects, priced: new Set() })).toBeUndefined();
});

test("what is left empty is no option", () => {
  expect(Object.values(optionsOf(NO_ENTRIES)).filter((value) => value !== undefined)).toEqual([]);
  const entries = { ...NO_ENTRIES, nTrials: "500", timezone: " Europe/Berlin ", coin: "btc" };
  expect(optionsOf(entries)).toMatchObject({
    nTrials: 500,
    timezone: "Europe/Berlin",
    coin: "btc",
  });
});
