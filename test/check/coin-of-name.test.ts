import { describe, expect, test } from "vitest";
import { checkFile } from "../../check/check-file.ts";
import { asNamed } from "../../check/file-at-market.ts";
import { symbolsIn } from "../../check/market.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import { codesOf, marketOf, readText, utf8 } from "./formats/files.ts";

const BARS = madeUpBars({ seed: 7, days: 400 });
const CAPITAL = { startingCapital: 1000 };

/** TradingView's list of one-day trades at the closes of `BARS`, times a factor. */
function listAt(factor: number): string {
  const lines = Array.from({ length: 70 }, (_, place) => 250 + 2 * place).flatMap((row, place) => {
    const side = (type: string, at: number) =>
      [place + 1, type, dateOfDay(BARS.day[at]!), "x", factor * BARS.close[at]!, 1].join(",");
    const profit = BARS.close[row + 1]! - BARS.close[row]!;
    return [`${side("Exit long", row + 1)},${profit}`, `${side("Entry long", row)},${profit}`];
  });
  const header = "Trade #,Type,Date and time,Signal,Price USDT,Position size (qty),Net P&L USDT";
  return [header, ...lines].join("\n");
}

const LIST = await readText(listAt(1), CAPITAL);
const SOL = "Trend_Strategy_BINANCE_SOLUSDT_2026-01-02.csv";

test.each([
  [SOL, ["SOLUSDT"]],
  ["Golden_Protocol_v7.4_[x]_BYBIT_SOLUSDT.P_2025-12-23 (1).xlsx", ["SOLUSDT.P"]],
  ["ORB_COINBASE_SOLUSD_2026-01-07_6f55a.xlsx", ["SOLUSD"]],
  ["30-sec_KRAKEN_SOLEUR_2023-06-15-2026-04-14_8f9af.xlsx", ["SOLEUR"]],
  ["trades.csv", undefined],
  ["SOLUSDT_2026-01-02.csv", undefined],
  ["my_sol_strategy_2026-01-02.csv", undefined],
])("%s names %j", (name, symbols) => {
  const named = asNamed(LIST, name);
  expect(named && symbolsIn(named)).toEqual(symbols);
});

test("only TradingView's files are called so, and what a file says of its trades goes before", async () => {
  const curve = await readText("date,equity\n2024-01-01,1\n2024-01-02,2\n", { format: "equity" });
  expect(asNamed(curve, SOL)).toBeUndefined();
  expect(asNamed(asNamed(LIST, SOL)!, SOL.replace("SOL", "BTC"))).toBeUndefined();
});

describe("the coin of the name", () => {
  const checked = async (text: string, options: object) => {
    const market = marketOf(["btc", "sol"], BARS);
    return (await checkFile(utf8(text), { ...CAPITAL, ...options }, market)).report;
  };

  test("counts where the trades are at its prices, and the answer says so", async () => {
    const report = await checked(listAt(1), { fileName: SOL });
    expect(report.peers?.coin).toBe("sol");
    expect(codesOf(report.input.warnings)).toEqual([
      "window_of_trades",
      "coin_of_name",
      "marked_to_market",
    ]);
    expect(report.input.warnings[1]!.message).toContain("from the file's name, SOLUSDT");
  });

  test("changes nothing where the prices differ, where another coin is named, or without prices", async () => {
    const [elsewhere, unnamed] = [listAt(3), { fileName: "trades.csv" }];
    expect(await checked(elsewhere, { fileName: SOL })).toEqual(await checked(elsewhere, unnamed));
    const other = await checked(elsewhere, { fileName: SOL, coin: "btc" });
    expect(codesOf(other.input.warnings)).not.toContain("coin_of_name");
    const alone = (options: object) => checkFile(utf8(listAt(1)), { ...CAPITAL, ...options });
    expect(await alone({ fileName: SOL })).toEqual(await alone(unnamed));
  });
});
