import { tableFromArrays, tableToIPC } from "apache-arrow";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { sliceBars, type Bars } from "../../quant/bars.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { codesOf, marketOf, utf8 } from "./formats/files.ts";
import { madeUpBars } from "../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 7, days: 400 });
const FIRST = 250;

/** A freqtrade result of one-day trades of a pair at the prices of `BARS`. */
function resultOf(pairOf: (row: number) => string, factor = 1): Uint8Array {
  const date = (row: number) => `${dateOfDay(BARS.day[row]!)} 00:00:00`;
  const trades = Array.from({ length: 70 }, (_, place) => FIRST + 2 * place).map((row) => ({
    pair: pairOf(row),
    profit_abs: BARS.close[row + 1]! - BARS.close[row]!,
    amount: 1,
    open_rate: factor * BARS.close[row]!,
    open_date: date(row),
    close_date: date(row + 1),
  }));
  const run = {
    backtest_start: date(FIRST),
    backtest_end: date(399),
    starting_balance: 1000,
    trades,
  };
  return utf8(JSON.stringify({ strategy: { A: run } }));
}

/** The same with freqtrade's wallet, which follows the coin. */
function walletOf(pair: string): Uint8Array {
  const table = tableFromArrays({
    date: Array.from(BARS.day.subarray(FIRST), (day) => new Date(day * 86_400_000)),
    total_quote: BARS.close.slice(FIRST),
  });
  const wallet = tableToIPC(table, "file");
  return zipSync({ "x.json": resultOf(() => pair), "x_A_wallet.feather": wallet });
}

async function checked(
  bytes: Uint8Array,
  bars: Bars,
  options: CheckFileOptions = {},
  isSynthetic = false,
) {
  const market = marketOf(["btc", "eth"], bars, isSynthetic);
  return (await checkFile(bytes, options, market)).report;
}

describe("the coin that was traded", () => {
  test("is the one of the file's trades, where they were at its prices", async () => {
    const bytes = resultOf(() => "ETH/USDT");
    const [found, named] = [
      await checked(bytes, BARS),
      await checked(bytes, BARS, { coin: "eth" }),
    ];
    expect(found.peers?.coin).toBe("eth");
    expect({ ...found, input: { ...found.input, options: { coin: "eth" } } }).toEqual(named);
  });

  test("is the one of a wallet in dollars, but never by made-up prices", async () => {
    const wallet = walletOf("ETH/USDT");
    expect((await checked(wallet, BARS)).peers?.coin).toBe("eth");
    expect((await checked(wallet, BARS, {}, true)).peers).toBeNull();
    expect((await checked(walletOf("ETH/BTC"), BARS)).peers).toBeNull();
  });

  test.each([
    ["other prices", resultOf(() => "ETH/USDT", 3), "isn't known"],
    ["two coins", resultOf((row) => (row % 4 ? "ETH/USDT" : "BTC/USDT")), "it traded eth, btc,"],
    ["a coin without prices here", resultOf(() => "DOGE/USDT"), "isn't known"],
  ])("is not taken from %s", async (_, bytes, words) => {
    const { peers, peersReason: reason } = await checked(bytes, BARS);
    expect([peers, reason]).toEqual([null, expect.stringContaining(words)]);
  });

  test("is not compared where it is named and its prices end long before the file", async () => {
    const short = sliceBars(BARS, 0, 300);
    const bytes = resultOf(() => "ETH/USDT");
    const named = await checked(bytes, short, { coin: "eth" });
    expect([named.peers, named.input.benchmark]).toEqual([null, null]);
    expect(named.peersReason).toContain("its closes are known");
    expect(codesOf(named.input.warnings)).toContain("coin_not_covered");
    expect((await checked(bytes, short)).peers).toBeNull();
  });
});
