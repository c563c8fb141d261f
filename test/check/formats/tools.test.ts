import { tableFromArrays, tableToIPC } from "apache-arrow";
import { describe, expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { readFreqtradeZip } from "../../../check/formats/freqtrade-zip.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { csvOf, readText, smallReturn, utf8 } from "./files.ts";

const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

describe("freqtrade", () => {
  const run = (profits: readonly number[], more: object = {}) => ({
    backtest_start: "2024-01-01 00:00:00",
    backtest_end: "2024-02-20 00:00:00",
    starting_balance: 1000,
    trades: profits.map((profit_abs, place) => ({
      profit_abs,
      open_date: "2024-01-02 00:00:00+00:00",
      close_date: `2024-01-${String(place + 5).padStart(2, "0")} 00:00:00+00:00`,
    })),
    ...more,
  });
  const [A, B] = [run([10, -5, 7], { sharpe: 2.4 }), run([20, -1, 9], { sharpe: 3.5 })];

  test("several strategies: each states its own Sharpe ratio, the judged one's is shown", async () => {
    const read = await readText(JSON.stringify({ strategy: { A, B } }));
    expect(codes(read.warnings)).toEqual(["realised_only"]);
    const { format, tool, kind, statedOf, statedReason } = read;
    const source = { format, tool, kind, statedOf, statedReason };
    const report = checkPanel(buildPanel(read.rows!), { source, selected: "A", resamples: 50 });
    expect(report.input.stated).toEqual({ sharpe: 2.4 });
    expect(report.input.stated_reason).toContain("freqtrade divides");
  });

  test("epochs of a hyperopt state theirs", async () => {
    const lines = [A, B].map((results_metrics, place) =>
      JSON.stringify({ current_epoch: place + 1, results_metrics }),
    );
    const read = await readText(lines.join("\n"));
    expect(read.statedOf?.get("2")).toEqual({ sharpe: 3.5 });
  });

  test("epochs of two hyperopts in one file are as many variants", async () => {
    const line = (results_metrics: object) => JSON.stringify({ current_epoch: 1, results_metrics });
    const read = await readText([line(A), line(B)].join("\n"));
    expect(read.rows!.names).toEqual(["1", "2"]);
    expect(read.rows!.columns.map((column) => column[3])).toEqual([0.01, 0.02]);
  });

  test("more days of more variants than there are is refused before room is made", async () => {
    const long = run([], { backtest_start: "1950-01-01", backtest_end: "2050-01-01" });
    const lines = Array.from({ length: 500 }, (_, place) =>
      JSON.stringify({ current_epoch: place, results_metrics: long }),
    );
    await expect(readText(lines.join("\n"))).rejects.toThrow("are more than is checked");
  });

  test("a result of 2020 doesn't name its capital", async () => {
    const { starting_balance: _, ...old } = A;
    const text = JSON.stringify({ strategy: { A: old } });
    await expect(readText(text)).rejects.toThrow(MoreNeeded);
    const read = await readText(text, { startingCapital: 1000 });
    expect(buildPanel(read.rows!).columns[0]!.slice(3, 5)).toEqual(
      Float64Array.of(0.01, -5 / 1010),
    );
  });

  const wallet = (values: readonly number[]) => {
    const date = values.map((_, day) => `2024-01-0${day + 1}`);
    return tableToIPC(tableFromArrays({ date, total_quote: Float64Array.from(values) }), "file");
  };
  const zipOf = (wallets: Readonly<Record<string, readonly number[]>>, more: object = {}) => {
    const strategy = { Cross: { ...A, ...more }, Ema_Cross: { ...B, ...more } };
    return new Map([
      ["x.json", utf8(JSON.stringify({ strategy }))],
      ...Object.entries(wallets).map(
        ([name, values]) => [`x_${name}_wallet.feather`, wallet(values)] as const,
      ),
    ]);
  };
  const both = { Ema_Cross: [100, 103], Cross: [100, 102] };

  test("each strategy of a zip is valued by its own wallet, underscores or not", () => {
    const { kind, rows } = readFreqtradeZip(zipOf(both), {})!;
    expect([kind, rows!.names]).toEqual(["equity", ["Cross", "Ema_Cross"]]);
    expect(rows!.columns.map((column) => column[1])).toEqual([102, 103]);
  });

  test.each([
    ["one is missing", zipOf({ Cross: both.Cross })],
    ["they have other days", zipOf({ ...both, Cross: [100, 101, 102] })],
    ["they lack the positions of futures", zipOf(both, { trading_mode: "futures" })],
  ])("wallets don't count where %s", (_, files) => {
    expect(readFreqtradeZip(files, {})).toMatchObject({ kind: "trades", realisedOnly: true });
  });

  const order = (ft_is_entry: boolean) => ({ ft_is_entry, amount: 1, safe_price: 5 });
  test.each([
    ["one entry and one exit", [order(true), order(false)], 2],
    ["a second entry", [order(true), order(true), order(false)], undefined],
    ["an exit in parts", [order(true), order(false), order(false)], undefined],
  ])("the position of a trade with %s", async (_, orders, size) => {
    const trades = A.trades.map((trade) => ({ ...trade, amount: 2, open_rate: 5, orders }));
    const read = await readText(JSON.stringify({ strategy: { A: { ...A, trades } } }));
    expect(read.trades!.trades[0]!.position?.size).toBe(size);
  });

  test("a hyperopt names the epoch that its own loss calls the best", async () => {
    const lines = [A, B].map((results_metrics, place) =>
      JSON.stringify({ current_epoch: place + 7, results_metrics, loss: 5 - place }),
    );
    expect((await readText(lines.join("\n"))).statedReason).toContain("best epoch is 8");
  });

  test.each([
    ['{"latest_backtest": "backtest-result-x.zip"}', 'send "backtest-result-x.zip" beside it'],
    ["Best,Epoch,Trades,Objective\n*,1,5,0.5\n", "Send the .fthypt file"],
  ])("%s is refused by name", async (text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });
});

describe("nautilus_trader", () => {
  const account = (currency: (row: number) => string) =>
    csvOf(
      ",total,locked,free,currency,account_id",
      (row) => `${1000 + row},0,${1000 + row},${currency(row)},X-1`,
    );

  test("an account of one currency is read, one of two is refused", async () => {
    expect((await readText(account(() => "USDT"))).format).toBe("nautilus-account");
    const two = account((row) => (row % 2 === 0 ? "USDT" : "ETH"));
    await expect(readText(two)).rejects.toThrow("holds USDT and ETH, which can't be added up");
  });

  test.each([
    ["client_order_id,trader_id,venue_order_id,last_px\nO-1,T,V,5\n", "orders and fills"],
    [",0\nSharpe Ratio (252 days),1.2\nProfit Factor,1.5\n", "finished statistics"],
  ])("%s is refused by name", async (text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });
});

describe("vectorbt", () => {
  test("orders are refused by name", async () => {
    const text =
      ',Order Id,Column,Timestamp,Size,Price,Fees,Side\n0,0,"(5, 8)",2024-01-01,1,2,0,Buy\n';
    await expect(readText(text)).rejects.toThrow("vectorbt's list of orders");
  });

  test("a layout that lacks a column is named as the nearest", async () => {
    const text =
      "Exit Trade Id,Column,Entry Timestamp,Exit Timestamp,Status\n0,a,2024-01-01,2024-01-02,Closed\n";
    await expect(readText(text)).rejects.toThrow(
      'nearest is "vectorbt-trades" of vectorbt, which has "pnl", too',
    );
  });
});

test("finished statistics as JSON are refused by name", async () => {
  const text = JSON.stringify({ Start: 1, End: 2, Duration: 3, "Sharpe Ratio": 1.5 });
  await expect(readText(text)).rejects.toThrow("finished statistics");
});

test("returns of single trades on the days of their exit are no bars", async () => {
  const days = [1, 3, 20, 24, 31, 47, 52, 70, 75, 101, 103, 120];
  const lines = days.map((day) => {
    return `${new Date(Date.UTC(2024, 0, day)).toISOString().slice(0, 10)},${smallReturn(day)}`;
  });
  const { rows } = await readText(["date,0", ...lines].join("\n"));
  expect(() => buildPanel(rows!)).toThrow("from 2 to 26 days lie between them");
});
