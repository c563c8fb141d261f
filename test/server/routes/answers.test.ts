import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { buyHold } from "../../../server/routes/buy-hold.ts";
import { dca } from "../../../server/routes/dca.ts";
import type { ReadEndpoint } from "../../../server/routes/endpoint.ts";
import { signals } from "../../../server/routes/signals.ts";
import { strategies } from "../../../server/routes/strategies.ts";
import { askOn, type Data } from "../../support/ask-on.ts";
import { AS_OF, MARKET, marketSnapshot } from "../../support/server-market.ts";

const snapshot = marketSnapshot();
const ask = askOn(snapshot);

describe("attribution", () => {
  test.each([
    [signals, ""],
    [signals, "coin=btc"],
    [buyHold, "coin=btc"],
    [dca, "coin=btc"],
    [strategies, ""],
  ])("comes first in every data", (endpoint, query) => {
    const data = ask(endpoint, query);
    expect(Object.keys(data)[0]).toBe("attribution");
    expect(data.attribution).toEqual({
      source: "Hindsight, from the made-up prices of its demo market",
      license: "CC BY 4.0",
      license_url: "https://creativecommons.org/licenses/by/4.0/",
      notice:
        "For research. Not financial advice. Past results say nothing certain about future ones.",
      snapshot: snapshot.id,
      as_of: "2022-06-18",
      stale: false,
      synthetic: true,
    });
  });

  test("of one coin has its own last day, and says when that is old", () => {
    for (const endpoint of [signals, buyHold, dca]) {
      expect(ask(endpoint, "coin=old").attribution).toMatchObject({
        as_of: "2022-06-08",
        stale: true,
      });
    }
  });

  test.each([
    ["csv", "Hindsight, from daily prices of the operator's csv files"],
    ["exchange:binance", "Hindsight, from daily prices of binance"],
  ])("names the source %s", (source, expected) => {
    const real = marketSnapshot("id", MARKET.slice(0, 1), { source, synthetic: false });
    const { attribution } = ask(strategies, "", real);
    expect(attribution).toMatchObject({ source: expected, synthetic: false });
  });
});

describe("GET /buy-hold", () => {
  test("has a year for each of the history, oldest first, the first one partial where it is", () => {
    const data = ask(buyHold, "coin=sol");
    expect(
      data.years.map(({ year, entry_date, partial }: Data) => [year, entry_date, partial]),
    ).toEqual([
      [2021, "2021-05-15", true],
      [2022, "2022-01-01", false],
    ]);
    const { close } = snapshot.bars("sol")!;
    const [first] = data.years;
    expect(data.close_usd).toBeCloseTo(close.at(-1)!, 6);
    expect(first.return_pct).toBeCloseTo(100 * (close.at(-1)! / close[0]! - 1), 6);
    expect(first.value_of_1000_usd).toBeCloseTo((1000 * close.at(-1)!) / close[0]!, 5);
    expect(first.max_drawdown_pct).toBeLessThan(0);
    const atEnd = close[230]!; // of 2021-12-31
    expect(first.calendar_return_pct).toBeCloseTo(100 * (atEnd / close[0]! - 1), 6);
    expect(data.years[1].calendar_return_pct).toBeCloseTo(100 * (close.at(-1)! / atEnd - 1), 6);
  });

  test("has a rate a year from 90 days on", () => {
    const [only] = ask(buyHold, "coin=new").years;
    expect([only.days_held, only.cagr_pct]).toEqual([4, null]);
    for (const { days_held: days, cagr_pct: rate } of ask(buyHold, "coin=btc").years) {
      expect(rate === null, `after ${days} days`).toBe(days < 90);
    }
  });
});

describe("GET /dca", () => {
  test("starts on the coin's first day, with 100 dollars a week", () => {
    const data = ask(dca, "coin=btc");
    const { close } = snapshot.bars("btc")!;
    const bought = Array.from(close).filter((_, row) => row % 7 === 0);
    expect(data).toMatchObject({
      coin: "btc",
      amount_usd: 100,
      frequency: "weekly",
      start_date: "2020-01-01",
      end_date: "2022-06-18",
      purchases: bought.length,
      invested_usd: 100 * bought.length,
    });
    const units = bought.reduce((sum, price) => sum + 100 / price, 0);
    expect(data.units).toBeCloseTo(units, 6);
    expect(data.value_usd).toBeCloseTo(units * close.at(-1)!, 4);
    expect(data.average_cost_usd).toBeCloseTo(data.invested_usd / units, 4);
  });

  test("scales with the amount, and the shares stay", () => {
    const one = ask(dca, "coin=btc&amount=1&frequency=monthly&start_date=2020-01-31");
    const many = ask(dca, "coin=btc&amount=1e6&frequency=monthly&start_date=2020-01-31");
    for (const name of ["units", "value_usd", "profit_usd", "invested_usd"]) {
      expect(many[name] / one[name], `of ${name}`).toBeCloseTo(1e6, 0);
    }
    for (const name of ["units", "value_usd", "profit_usd"]) {
      expect(many.lump_sum[name] / one.lump_sum[name], `lump sum ${name}`).toBeCloseTo(1e6, 0);
    }
    for (const name of ["return_pct", "irr_pct", "average_cost_usd", "worst_date", "purchases"]) {
      expect(many[name], `of ${name}`).toEqual(one[name]);
    }
  });

  test("compares with the lump sum", () => {
    for (const query of [
      "coin=btc",
      "coin=eth&frequency=monthly",
      "coin=sol&start_date=2022-01-01",
    ]) {
      const { value_usd: value, lump_sum: lumpSum, comparison } = ask(dca, query);
      expect(comparison.winner).toBe(value > lumpSum.value_usd ? "dca" : "lump_sum");
      expect(comparison.difference_usd).toBeCloseTo(value - lumpSum.value_usd, 3);
      expect(comparison.difference_pct).toBeCloseTo(100 * (value / lumpSum.value_usd - 1), 6);
    }
  });

  test("of the last day alone is a tie, without rates", () => {
    const data = ask(dca, `coin=btc&start_date=${dateOfDay(AS_OF)}`);
    expect(data).toMatchObject({ purchases: 1, irr_pct: null, return_pct: 0 });
    expect(data.comparison).toMatchObject({ winner: "tie", difference_usd: 0, difference_pct: 0 });
    expect(data.lump_sum.cagr_pct).toBeNull();
    expect(data.comparison.lump_sum_wins_pct, "of all start dates").not.toBeNull();
  });

  test("has no share of wins where no start date is a year old", () => {
    expect(ask(dca, "coin=new").comparison.lump_sum_wins_pct).toBeNull();
  });

  test.each([
    ["coin=btc&start_date=2019-12-31", "2020-01-01 to 2022-06-18"],
    ["coin=btc&start_date=2022-06-19", "2020-01-01 to 2022-06-18"],
    ["coin=sol&start_date=2020-01-01", "2021-05-15 to 2022-06-18"],
  ])("?%s is outside the history, which the message states", (query, range) => {
    expect(() => ask(dca, query)).toThrow(range);
    expect(() => ask(dca, query)).toThrow(
      expect.objectContaining({ code: "start_date_out_of_range" }),
    );
  });
});

describe("GET /dca of any window", () => {
  test("holds to end_date, every fortnight, and pays a fee once a purchase", () => {
    const query =
      "coin=btc&frequency=biweekly&start_date=2020-06-01&end_date=2021-06-30&fee_pct=1.5";
    const data = ask(dca, query);
    const { day, close } = snapshot.bars("btc")!;
    const bought = Array.from(day.keys()).filter(
      (row) => dateOfDay(day[row]!) >= "2020-06-01" && dateOfDay(day[row]!) <= "2021-06-30",
    );
    const purchases = bought.filter((_, index) => index % 14 === 0);
    const units = purchases.reduce((sum, row) => sum + 100 / (close[row]! * 1.015), 0);
    const last = close[bought.at(-1)!]!;
    expect(data).toMatchObject({
      start_date: "2020-06-01",
      end_date: "2021-06-30",
      fee_pct: 1.5,
      purchases: purchases.length,
      invested_usd: 100 * purchases.length,
    });
    expect(data.units / units).toBeCloseTo(1, 8);
    expect(data.value_usd / (units * last)).toBeCloseTo(1, 8);
    const lumpSum = (100 * purchases.length * last) / (close[bought[0]!]! * 1.015);
    expect(data.lump_sum.value_usd / lumpSum).toBeCloseTo(1, 8);
  });

  test("to the last day without a fee is the snapshot's own", () => {
    const plain = ask(dca, "coin=btc&start_date=2020-06-01");
    expect(ask(dca, `coin=btc&start_date=2020-06-01&end_date=${dateOfDay(AS_OF)}`)).toEqual(plain);
    expect(Object.keys(plain)).not.toContain("fee_pct");
    const { fee_pct: fee, ...free } = ask(dca, "coin=btc&start_date=2020-06-01&fee_pct=0");
    expect([fee, free]).toEqual([0, plain]);
  });

  test("refuses an end outside the history, and one before the start", () => {
    expect(() => ask(dca, "coin=btc&end_date=2022-06-19")).toThrow(
      expect.objectContaining({ code: "end_date_out_of_range" }),
    );
    expect(() => ask(dca, "coin=btc&start_date=2021-01-02&end_date=2021-01-01")).toThrow(
      '"end_date" must not be before the start, 2021-01-02, got "2021-01-01"',
    );
  });
});

describe("GET /buy-hold of a window", () => {
  test("has a year's figures for exactly these days, and only when asked for", () => {
    expect(Object.keys(ask(buyHold, "coin=btc"))).not.toContain("window");
    const { window } = ask(buyHold, "coin=btc&start_date=2021-03-15&end_date=2021-09-15");
    const { day, close } = snapshot.bars("btc")!;
    const closes = Array.from(close).filter((_, row) => {
      const date = dateOfDay(day[row]!);
      return date >= "2021-03-15" && date <= "2021-09-15";
    });
    const [first, last] = [closes[0]!, closes.at(-1)!];
    expect(window).toMatchObject({
      entry_date: "2021-03-15",
      end_date: "2021-09-15",
      days_held: 184,
    });
    expect(window.return_pct).toBeCloseTo(100 * (last / first - 1), 6);
    expect(window.cagr_pct).toBeCloseTo(100 * ((last / first) ** (365 / 184) - 1), 5);
    expect(window.peak_price_usd / Math.max(...closes)).toBeCloseTo(1, 9);
    const deepest = closes.map((price, row) => price / Math.max(...closes.slice(0, row + 1)) - 1);
    expect(window.max_drawdown_pct).toBeCloseTo(100 * Math.min(...deepest), 6);
  });

  test("begins with the coin's first day, or ends with its last, where only one date is given", () => {
    const { window } = ask(buyHold, "coin=btc&end_date=2021-09-15");
    expect(window.entry_date).toBe("2020-01-01");
    expect(ask(buyHold, "coin=btc&start_date=2021-09-15").window.end_date).toBe(dateOfDay(AS_OF));
  });
});

describe("GET /strategies", () => {
  test("has the catalogue, each with 13 variants, of which variant 1 holds the defaults", () => {
    const { templates } = ask(strategies, "");
    expect(templates.map(({ name }: Data) => name)).toEqual(CATALOGUE.map(({ name }) => name));
    for (const { name, parameters, variants, references } of templates) {
      expect(
        variants.map(({ variant }: Data) => variant),
        `of ${name}`,
      ).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
      const defaults = Object.fromEntries(
        parameters.map((parameter: Data) => [parameter.name, parameter.default]),
      );
      expect(variants[0].params, `of ${name}`).toEqual(defaults);
      expect(references.length, `of ${name}`).toBeGreaterThan(0);
    }
  });
});

test("every number of every answer has at most 10 significant digits", () => {
  const asked: [ReadEndpoint, string][] = [
    [signals, ""],
    [signals, "coin=old"],
    [buyHold, "coin=eth"],
    [dca, "coin=eth&amount=123.456789"],
    [strategies, ""],
  ];
  for (const [endpoint, query] of asked) {
    const text = JSON.stringify(ask(endpoint, query));
    for (const [, digits] of text.matchAll(/[:[,]-?([\d.]+)(?:e[+-]?\d+)?(?=[,}\]])/g)) {
      const significant = digits!.replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
      expect(significant.length, `of ${digits}`).toBeLessThanOrEqual(10);
    }
  }
});
