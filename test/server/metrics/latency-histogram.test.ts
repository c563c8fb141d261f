import { describe, expect, test } from "vitest";
import { LATENCY_BOUNDS, LatencyHistograms } from "../../../server/metrics/latency-histogram.ts";

const bucketsOf = (histograms: LatencyHistograms, series: number) =>
  histograms
    .samples("h", series)
    .filter(({ metricName }) => metricName === "h_bucket")
    .map(({ labels, value }) => [labels?.["le"], value]);

describe("latency histograms", () => {
  test("hold in each bucket all that is no slower, the bound itself included", () => {
    const histograms = new LatencyHistograms(1, [0.1, 1]);
    for (const seconds of [0, 0.1, 0.100001, 1, 7]) histograms.record(0, seconds);
    expect(bucketsOf(histograms, 0)).toEqual([
      ["0.1", 2],
      ["1", 4],
      ["+Inf", 5],
    ]);
    const [sum, count] = histograms.samples("h", 0).slice(-2);
    expect(sum).toMatchObject({ metricName: "h_sum" });
    expect(sum!.value).toBeCloseTo(8.200001, 9);
    expect(count).toMatchObject({ metricName: "h_count", value: 5 });
  });

  test("keep series apart", () => {
    const histograms = new LatencyHistograms(3, [1]);
    histograms.record(1, 0.5);
    expect([0, 1, 2].map((series) => histograms.isEmpty(series))).toEqual([true, false, true]);
    expect(bucketsOf(histograms, 2)).toEqual([
      ["1", 0],
      ["+Inf", 0],
    ]);
  });

  test("reach from an answer out of memory to one that hangs, in rising order", () => {
    expect(LATENCY_BOUNDS[0]).toBe(0.00005);
    expect(LATENCY_BOUNDS.at(-1)).toBe(5);
    expect([...LATENCY_BOUNDS].sort((a, b) => a - b)).toEqual(LATENCY_BOUNDS);
  });
});
