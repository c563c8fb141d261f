import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  CATALOGUE,
  findTemplate,
  VARIANTS_PER_TEMPLATE,
  WARM_UP_DAYS,
} from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

test("every family has a template", () => {
  const families = new Set(CATALOGUE.map((template) => template.family));
  const all = ["breakout", "mean_reversion", "momentum", "trend", "volatility"];
  expect([...families].sort()).toEqual(all);
});

test("is found by name", () => {
  for (const template of CATALOGUE) expect(findTemplate(template.name)).toBe(template);
  expect(findTemplate("ma-cross")).toBeUndefined();
});

describe.each(CATALOGUE)("$name", (template) => {
  const { parameters, variants } = template;

  test("variant 1 is the default", () => {
    const defaults = parameters.map((parameter) => [parameter.name, parameter.default]);
    expect(variants[0]).toEqual(Object.fromEntries(defaults));
  });

  test("every variant sets every parameter, to a short positive or negative decimal, and no two are alike", () => {
    for (const params of variants) {
      expect(Object.keys(params)).toEqual(parameters.map((parameter) => parameter.name));
      for (const value of Object.values(params))
        expect(String(value)).toMatch(/^-?\d{1,3}(\.\d{1,4})?$/);
    }
    expect(new Set(variants.map((params) => JSON.stringify(params))).size).toBe(
      VARIANTS_PER_TEMPLATE,
    );
    expect([variants.length, VARIANTS_PER_TEMPLATE]).toEqual([13, 13]);
  });

  test("lengths in days are whole and positive, and fast stays below slow", () => {
    const lengths = parameters.filter((parameter) => parameter.unit === "days");
    expect(lengths.length).toBeLessThanOrEqual(parameters.length);
    for (const params of variants) {
      for (const { name } of lengths) {
        expect(Number.isInteger(params[name]) && params[name]! > 0, `${name} ${params[name]}`).toBe(
          true,
        );
      }
      const ladder = ["fast", "medium", "slow"]
        .map((name) => params[name])
        .filter((value) => value !== undefined);
      expect([...new Set(ladder)].sort((a, b) => a - b)).toEqual(ladder);
      const {
        conversion = 0,
        base = 1,
        exit = 0,
        entry = 1,
        acceleration = 0,
        maximum = 1,
      } = params;
      expect([conversion < base, acceleration < maximum]).toEqual([true, true]);
      expect(exit < entry).toBe(true);
      const { oversold = 0, overbought = 1 } = params;
      expect(oversold < overbought).toBe(true);
    }
  });

  test("the variants are the diamond of two parameters, or the ladder of one", () => {
    const distances = variants.map((params) => {
      const moved = parameters.map(({ name, default: value }) => Math.abs(params[name]! - value));
      return moved.map((distance, index) => {
        const steps = variants.map((other) =>
          Math.abs(other[parameters[index]!.name]! - parameters[index]!.default),
        );
        const step = Math.min(...steps.filter((each) => each > 1e-9));
        return distance < 1e-9 ? 0 : Math.round((distance / step) * 1e6) / 1e6;
      });
    });
    const sums = distances.map((steps) => steps.reduce((total, count) => total + count, 0));
    const axes = distances[0]!.filter((_, index) =>
      distances.some((steps) => steps[index]! > 0),
    ).length;
    const diamond = [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2];
    const ladder = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
    expect(sums).toEqual(axes === 1 ? ladder : diamond);
  });

  test("its words name every parameter that a variant changes, and no other", () => {
    const words = `${template.entryRule} ${template.exitRule}`;
    const named = [...words.matchAll(/`(\w+)`/g)].map((match) => match[1]);
    const known = parameters.map((parameter) => parameter.name);
    expect(known).toEqual(expect.arrayContaining(named));
    const changed = known.filter(
      (name) => new Set(variants.map((params) => params[name])).size > 1,
    );
    expect(named).toEqual(expect.arrayContaining(changed));
    expect(template.references.length).toBeGreaterThan(0);
    expect(template.description).toMatch(/\.$/);
  });

  test("every variant has spoken before the warm-up is over", () => {
    // Rules are silent until all their values exist (the reference tests check that), so a single flag on
    // any market proves that they do.
    const markets = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
      createMarket(madeUpBars({ seed, days: WARM_UP_DAYS })),
    );
    for (const params of variants) {
      const spoken = markets.some((market) =>
        flagsOf(template, market, params).some((flag) => flag !== 0),
      );
      expect({ params, spoken }).toEqual({ params, spoken: true });
    }
  });

  test("is defined for histories of 0, 1 and 2 days, and says nothing on the first", () => {
    for (const days of [0, 1, 2]) {
      const market = createMarket(madeUpBars({ seed: 3, days }));
      for (const params of template.variants) {
        const flags = flagsOf(template, market, params);
        expect(flags).toHaveLength(days);
        expect(flags[0] ?? 0).toBe(0);
      }
    }
  });

  test("clears what the flags held before", () => {
    const market = createMarket(madeUpBars({ seed: 3, days: 300 }));
    const dirty = new Uint8Array(300).fill(3);
    template.rules(market, variants[0]!, dirty);
    expect(dirty).toEqual(flagsOf(template, market, variants[0]!));
  });
});

test("every template file is in the catalogue", () => {
  const folder = fileURLToPath(new URL("../../../quant/strategies", import.meta.url));
  const files = readdirSync(folder).filter((name) =>
    readFileSync(`${folder}/${name}`, "utf8").includes("= template({"),
  );
  const catalogue = readFileSync(`${folder}/catalogue.ts`, "utf8");
  expect(files.length).toBe(CATALOGUE.length);
  expect(files.filter((name) => !catalogue.includes(`"./${name}"`))).toEqual([]);
});
