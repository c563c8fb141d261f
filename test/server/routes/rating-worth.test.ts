import { describe, expect, test } from "vitest";
import { ratingWorth } from "../../../server/routes/rating-worth.ts";
import { askOn } from "../../support/ask-on.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const MARKET = marketSnapshot();
const ask = askOn(MARKET);

describe("GET /rating-worth", () => {
  test("has the classes from strong sell to strong buy, and says which pass the bar of all", () => {
    const { basis, classes } = ask(ratingWorth, "", MARKET);
    expect(basis).toMatchObject({ month: "2025-06", shifts: 500, bar: 2.5, p: 0.03 });
    expect(classes.map(({ rating }: { rating: string }) => rating)).toEqual([
      "strong_sell",
      "sell",
      "neutral",
      "buy",
      "strong_buy",
    ]);
    expect(classes[4]).toMatchObject({ mean_excess_pct: 2.1, beyond_luck: true });
    expect(classes[0]).toMatchObject({ low_pct: -1.2, high_pct: 1.3, beyond_luck: false });
  });

  test("is empty where the history is too short", () => {
    const short = ask(ratingWorth, "", { ...MARKET, ratingWorth: [] });
    expect(short).toMatchObject({ basis: null, classes: [] });
  });
});
