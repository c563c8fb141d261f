import { mean } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { randomStream } from "../../../pipeline/sources/random.ts";

const COUNT = 200_000;
const many = (draw: () => number) => Array.from({ length: COUNT }, draw);

describe("randomStream", () => {
  test("gives the same numbers for the same name and others for another", () => {
    const five = (name: string) => {
      const stream = randomStream(name);
      return Array.from({ length: 5 }, () => stream.uniform());
    };
    expect(five("a")).toEqual(five("a"));
    expect(five("a")).not.toEqual(five("b"));
  });

  // Bounds are five standard errors of the moment over the count.
  test("draws uniform numbers inside (0, 1)", () => {
    const stream = randomStream("uniform");
    const values = many(() => stream.uniform());
    expect(values.every((value) => value > 0 && value < 1)).toBe(true);
    expect(Math.abs(mean(values) - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / COUNT));
  });

  test("draws normal numbers of mean 0, variance 1 and kurtosis 3", () => {
    const stream = randomStream("normal");
    const values = many(() => stream.normal());
    expect(Math.abs(mean(values))).toBeLessThan(5 / Math.sqrt(COUNT));
    expect(Math.abs(mean(values.map((it) => it ** 2)) - 1)).toBeLessThan(5 * Math.sqrt(2 / COUNT));
    expect(Math.abs(mean(values.map((it) => it ** 4)) - 3)).toBeLessThan(5 * Math.sqrt(96 / COUNT));
  });

  test("draws Student t numbers with 4 degrees of freedom, scaled by the root of 2", () => {
    const stream = randomStream("student");
    const values = many(() => stream.student4() * Math.SQRT2).sort((a, b) => a - b);
    // Quantiles of t(4) from the tables: 0.75, 0.95, 0.99, 0.999.
    for (const [share, expected] of [
      [0.75, 0.741],
      [0.95, 2.132],
      [0.99, 3.747],
      [0.999, 7.173],
    ] as const) {
      const density = (3 / 8) * (1 + expected ** 2 / 4) ** -2.5;
      const error = Math.sqrt((share * (1 - share)) / COUNT) / density;
      expect(Math.abs(values[Math.floor(share * COUNT)]! - expected)).toBeLessThan(
        5 * error + 0.001,
      );
      const mirrored = values[Math.floor((1 - share) * COUNT)]!;
      expect(Math.abs(mirrored + expected)).toBeLessThan(5 * error + 0.001);
    }
  });
});
