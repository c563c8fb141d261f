import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ratingWorthStage } from "../../../pipeline/stages/rating-worth.ts";
import { dayOfDate } from "../../../quant/calendar.ts";
import { RATING_RETURNS, RATING_WORTH } from "../../../snapshots/tables/rating-worth.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { memorySource, PRICES_ONLY, rowsOfBars, runSmall } from "../../support/snapshot-market.ts";
import { garbledMarket, oldMarket, stageInput } from "../../support/stage-input.ts";
import { query } from "../../support/snapshot-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const TICKERS = ["coin-0", "coin-1", "coin-2", "coin-3"];

/** The classes of a Parquet file, computed again by SQL from the ratings and returns beside it. */
const FIGURES = (dir: string, shift: number) => `
WITH rows AS (SELECT * FROM '${join(dir, "rating_returns.parquet")}'),
bounds AS (SELECT min(day) AS first, max(day) - min(day) + 1 AS days FROM rows),
excess AS (
  SELECT coin, day, return_30d - avg(return_30d) OVER (PARTITION BY day) AS excess
  FROM rows
),
late AS (
  SELECT coin, first + CAST((day - first + ${shift}) % days AS INTEGER) AS day,
         CASE WHEN score < -0.5 THEN 'strong_sell' WHEN score < -0.1 THEN 'sell'
              WHEN score <= 0.1 THEN 'neutral' WHEN score <= 0.5 THEN 'buy' ELSE 'strong_buy' END AS rating
  FROM rows, bounds WHERE score IS NOT NULL
)
SELECT rating, avg(excess) AS mean_excess, avg(CASE WHEN excess > 0 THEN 1 ELSE 0 END) AS share_above,
       count(*)::INTEGER AS observations
FROM late JOIN excess USING (coin, day)
WHERE excess IS NOT NULL GROUP BY rating ORDER BY rating`;

describe("the tables of what the rating was worth", () => {
  let dir: string;
  let rows: Record<string, unknown>[];
  beforeAll(async () => {
    const market = Object.fromEntries(
      TICKERS.map((ticker, seed) => [
        ticker,
        rowsOfBars(madeUpBars({ seed: seed + 1, days: 500 - 30 * seed })),
      ]),
    );
    const board = TICKERS.map((ticker) => ({ ticker, name: ticker, symbol: "X/USDT" }));
    const stages = [...PRICES_ONLY, ratingWorthStage];
    const root = temporaryFolder("rating-worth");
    ({ dir } = await runSmall(root, { board, stages, source: memorySource(market) }));
    rows = await query(`SELECT * FROM '${join(dir, "rating_worth.parquet")}' ORDER BY rating`);
  });

  test("the figures can be computed again from Parquet", async () => {
    const again = await query(FIGURES(dir, 0));
    expect(rows.length).toBe(5);
    for (const [place, row] of again.entries()) {
      expect(row["rating"]).toBe(rows[place]!["rating"]);
      expect(row["observations"]).toBe(rows[place]!["observations"]);
      expect(row["mean_excess"]).toBeCloseTo(Number(rows[place]!["mean_excess"]), 12);
      expect(row["share_above"]).toBeCloseTo(Number(rows[place]!["share_above"]), 12);
    }
  });

  test("and so can the shifts lie where the band says", async () => {
    const found = await Promise.all([90, 200, 300].map((shift) => query(FIGURES(dir, shift))));
    const inside = found.flat().filter(({ rating, mean_excess: value }) => {
      const row = rows.find((each) => each["rating"] === rating)!;
      const reach = Number(row["high"]) - Number(row["low"]);
      return (
        Number(value) > Number(row["low"]) - reach / 2 &&
        Number(value) < Number(row["high"]) + reach / 2
      );
    });
    expect(inside.length).toBeGreaterThanOrEqual(14);
  });
});

describe("the stage rating_worth", () => {
  const market = oldMarket(4, 500);
  const at = dayOfDate("2021-04-20")!;

  test("is made once for a month, from prices up to its end, and then kept", async () => {
    const first = await ratingWorthStage.run(stageInput(market, at));
    const later = await ratingWorthStage.run(
      stageInput(garbledMarket(market, dayOfDate("2021-03-31")!), at),
    );
    expect(later).toEqual(first);
    const garbled = garbledMarket(market, dayOfDate("2020-12-31")!);
    const kept = await ratingWorthStage.run(stageInput(garbled, at, { published: [first] }));
    expect(kept.get(RATING_WORTH)).toEqual(first.get(RATING_WORTH));
    expect(kept.get(RATING_RETURNS)).toEqual(first.get(RATING_RETURNS));
    const next = await ratingWorthStage.run(
      stageInput(market, dayOfDate("2021-05-01")!, { published: [first] }),
    );
    expect(next.get(RATING_WORTH)).not.toEqual(first.get(RATING_WORTH));
  });

  test("is empty on a history too short to shift, and on a single coin", async () => {
    for (const few of [oldMarket(4, 170), oldMarket(1, 500)]) {
      const made = await ratingWorthStage.run(stageInput(few, dayOfDate("2021-04-20")!));
      expect([made.get(RATING_WORTH), made.get(RATING_RETURNS)]).toEqual([[], []]);
    }
  });
});
