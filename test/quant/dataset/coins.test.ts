import { describe, expect, test } from "vitest";
import { sliceBars } from "../../../quant/bars.ts";
import { datasetCoins } from "../../../quant/dataset/coins.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 1, days: 1200 });
const LAST = BARS.day.at(-1)!;

/** A coin with the last `days` days of the made-up series. */
const young = (coin: string, days: number) => ({
  coin,
  bars: sliceBars(BARS, BARS.day.length - days),
});

describe("datasetCoins", () => {
  test("needs 730 days after 200 of warm-up", () => {
    const coins = datasetCoins([young("short", 929), young("enough", 930)], LAST);
    expect(coins.map(({ coin }) => coin)).toEqual(["enough"]);
  });

  test("counts the days up to the dataset's own, not those that came later", () => {
    expect(datasetCoins([young("enough", 930)], LAST - 1)).toEqual([]);
  });

  test("takes the 40 longest, on a tie the earlier on the board, in board order", () => {
    const board = [
      ...Array.from({ length: 30 }, (_, index) => young(`tie-${index}`, 1000)),
      ...Array.from({ length: 25 }, (_, index) => young(`long-${index}`, 1100)),
    ];
    const coins = datasetCoins(board, LAST).map(({ coin }) => coin);
    expect(coins).toHaveLength(40);
    expect(coins.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, index) => `tie-${index}`));
    expect(coins.slice(15)).toEqual(Array.from({ length: 25 }, (_, index) => `long-${index}`));
  });

  test("keeps a coin whose history ended before", () => {
    const ended = { coin: "ended", bars: sliceBars(BARS, 0, 1000) };
    expect(datasetCoins([ended], LAST)[0]?.bars.day).toHaveLength(1000);
  });
});
