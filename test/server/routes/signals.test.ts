import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { AVERAGE_PERIODS } from "../../../quant/indicators/columns.ts";
import { signals } from "../../../server/routes/signals.ts";
import { tableColumnsOf } from "../../../snapshots/tables/indicators.ts";
import { askOn, type Data } from "../../support/ask-on.ts";
import { FIRST_DAY, MARKET, marketSnapshot } from "../../support/server-market.ts";

const snapshot = marketSnapshot();
const ask = askOn(snapshot);

/** Indicators as an answer has them, without what each of them says. */
function withoutSignals(indicators: Data): Data {
  const { signal: _, ...rest } = indicators;
  const values = Object.entries(rest).map(([name, each]) => [
    name,
    typeof each === "object" ? withoutSignals(each) : each,
  ]);
  return Object.fromEntries(values);
}

describe("GET /signals", () => {
  test("of one coin is the reading of its last day", () => {
    const data = ask(signals, "coin=btc");
    const close = snapshot.bars("btc")!.close;
    expect(data.as_of).toBe("2022-06-18");
    expect(data.board).toBeUndefined();
    expect(data.signal).toMatchObject({ coin: "btc", name: "Bitcoin", date: "2022-06-18" });
    expect(data.signal.close_usd).toBeCloseTo(close.at(-1)!, 6);
    expect(data.signal.change_7d_pct).toBeCloseTo(100 * (close.at(-1)! / close.at(-8)! - 1), 6);
  });

  test("gives every indicator a signal of its own", () => {
    const { indicators } = ask(signals, "coin=btc").signal;
    for (const [name, indicator] of Object.entries(indicators)) {
      const each =
        name === "ema" || name === "sma" ? Object.values(indicator as Data) : [indicator];
      for (const one of each)
        expect((one as Data).signal, `of ${name}`).toMatch(/^(buy|neutral|sell)$/);
    }
    expect(Object.keys(indicators.ema)).toEqual(["10", "20", "30", "50", "100", "200"]);
  });

  test.each(["btc", "eth", "sol"])("of %s holds its row of the table of indicators", (coin) => {
    const columns = tableColumnsOf(snapshot.indicators(coin)!);
    const value = (name: string) => Number(columns[name]!.at(-1)!.toPrecision(10));
    const ago = (name: string) => Number(columns[name]!.at(-27)!.toPrecision(10));
    const line = (name: string) => ({ value: value(name) });
    const band = (name: string) => ({
      upper: value(`${name}_upper`),
      middle: value(`${name}_middle`),
      lower: value(`${name}_lower`),
    });
    const averages = (kind: string) =>
      Object.fromEntries(AVERAGE_PERIODS.map((days) => [days, line(`${kind}_${days}`)]));
    expect(withoutSignals(ask(signals, `coin=${coin}`).signal.indicators)).toEqual({
      rsi: line("rsi_14"),
      macd: {
        line: value("macd_line"),
        signal_line: value("macd_signal"),
        histogram: value("macd_histogram"),
      },
      supertrend: {
        value: value("supertrend"),
        direction: value("supertrend_direction") === 1 ? "up" : "down",
      },
      stochastic: { k: value("stoch_k"), d: value("stoch_d") },
      stoch_rsi: { k: value("stoch_rsi_k"), d: value("stoch_rsi_d") },
      cci: line("cci_20"),
      adx: { adx: value("adx_14"), plus_di: value("plus_di_14"), minus_di: value("minus_di_14") },
      awesome_oscillator: line("awesome_oscillator"),
      momentum: line("momentum_10"),
      williams_r: line("williams_r_14"),
      bull_bear_power: { bull: value("bull_power_13"), bear: value("bear_power_13") },
      ultimate_oscillator: line("ultimate_oscillator"),
      ema: averages("ema"),
      sma: averages("sma"),
      hull_ma: line("hull_ma_9"),
      vwma: line("vwma_20"),
      ichimoku: {
        conversion: value("ichimoku_conversion"),
        base: value("ichimoku_base"),
        lead1: value("ichimoku_lead1"),
        lead2: value("ichimoku_lead2"),
        cloud_lead1: ago("ichimoku_lead1"),
        cloud_lead2: ago("ichimoku_lead2"),
      },
      bollinger: band("bollinger"),
      atr: line("atr_14"),
      keltner: band("keltner"),
      donchian: band("donchian"),
      aroon: { up: value("aroon_up"), down: value("aroon_down") },
      parabolic_sar: line("parabolic_sar"),
      mfi: line("mfi_14"),
      obv: line("obv"),
      roc: line("roc_12"),
      realized_volatility_30d_pct: line("realized_volatility_30d_pct"),
      drawdown_from_high_pct: line("drawdown_from_high_pct"),
    });
  });

  test("summarises both halves", () => {
    const { summary } = ask(signals, "coin=btc").signal;
    const { moving_averages: averages, oscillators } = summary;
    expect(averages.buy + averages.neutral + averages.sell).toBe(15);
    expect(oscillators.buy + oscillators.neutral + oscillators.sell).toBe(11);
    expect(summary.score).toBeCloseTo((averages.score + oscillators.score) / 2, 8);
  });

  test("of a past date is what was known then", () => {
    const day = FIRST_DAY + 600;
    const past = marketSnapshot("cut", [{ ...MARKET[0]!, days: 601 }]);
    const asked = ask(signals, `coin=btc&date=${dateOfDay(day)}`);
    expect(asked.signal.date).toBe(dateOfDay(day));
    expect(asked.signal).toEqual({ ...ask(signals, "coin=btc", past).signal, stale: false });
    expect(asked.as_of, "the data still goes further").toBe("2022-06-18");
  });

  test("of its last day by date is the same resource as without a date", () => {
    const last = ask(signals, "coin=old").as_of as string;
    expect(signals.resolve(snapshot, { coin: "old", date: last })).toEqual(
      signals.resolve(snapshot, { coin: "old" }),
    );
  });

  test("without enough history is null, not zero", () => {
    const { signal } = ask(signals, "coin=new");
    expect(signal.change_1d_pct).not.toBeNull();
    expect(signal.change_7d_pct).toBeNull();
    expect(signal.indicators.rsi).toBeNull();
    expect(signal.indicators.sma["200"]).toBeNull();
    const first = ask(signals, `coin=new&date=${dateOfDay(FIRST_DAY + 895)}`).signal;
    expect(first).toMatchObject({ date: "2022-06-14", change_1d_pct: null });
    expect(first.close_usd, "the day it was listed").toBeGreaterThan(0);
  });

  test("without a coin is the board, in its order, each coin on its own last day", () => {
    const data = ask(signals, "");
    expect(data.signal).toBeUndefined();
    expect(data.board.map(({ coin, date, stale }: Data) => [coin, date, stale])).toEqual([
      ["btc", "2022-06-18", false],
      ["eth", "2022-06-18", false],
      ["sol", "2022-06-18", false],
      ["old", "2022-06-08", true],
      ["new", "2022-06-18", false],
    ]);
    expect(data.board[0]).toEqual(ask(signals, "coin=btc").signal);
  });

  test("of the board on a date keeps the place of coins that had no such day", () => {
    const { board } = ask(signals, "date=2020-06-01");
    expect(board.map(({ coin, date }: Data) => [coin, date])).toEqual([
      ["btc", "2020-06-01"],
      ["eth", "2020-06-01"],
      ["sol", null],
      ["old", "2020-06-01"],
      ["new", null],
    ]);
    expect(board[2]).toMatchObject({ close_usd: null, change_1d_pct: null, summary: null });
    expect(board[2].indicators).toMatchObject({ rsi: null, ema: { 10: null, 200: null } });
    expect(ask(signals, "date=2022-06-18").board[3].date, "after its last day").toBeNull();
  });

  test.each([
    ["coin=btc&date=2019-12-31", 'within the history of "btc", 2020-01-01 to 2022-06-18'],
    ["coin=sol&date=2020-06-01", 'within the history of "sol", 2021-05-15 to 2022-06-18'],
    ["coin=old&date=2022-06-18", 'within the history of "old", 2020-01-01 to 2022-06-08'],
    ["date=2022-06-19", "within the history of the board, 2020-01-01 to 2022-06-18"],
  ])("?%s is outside, and the message names the range", (query, message) => {
    expect(() => ask(signals, query)).toThrow(message);
  });
});
