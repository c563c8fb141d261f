import { Decimal, Table, tableFromArrays, tableToIPC, vectorFromArray } from "apache-arrow";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { readExport } from "../../../check/formats/read-export.ts";
import { codesOf, csvOf, readText, smallReturn } from "./files.ts";

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
    expect(codesOf(read.warnings)).toEqual(["realised_only"]);
    const { format, tool, kind, statedOf, statedReason } = read;
    const source = { format, tool, kind, statedOf, statedReason };
    const report = checkPanel(buildPanel(read.rows!), { source, selected: "A", resamples: 50 });
    expect(report.input.stated).toEqual({ sharpe: 2.4 });
    expect(report.input.statedReason).toContain("freqtrade divides");
  });

  test("each strategy's wallet is its equity, unless one has none or other days", async () => {
    const wallet = (values: readonly number[]) => {
      const date = values.map((_, row) => new Date(Date.UTC(2024, 0, row + 1)));
      return tableToIPC(tableFromArrays({ date, total_quote: Float64Array.from(values) }), "file");
    };
    const result = strToU8(JSON.stringify({ strategy: { Ema_Cross: A, Ema: B } }));
    const zipOf = (wallets: Record<string, Uint8Array>) =>
      readExport(zipSync({ "x.json": result, ...wallets }));
    const ofFirst = { "x_Ema_Cross_wallet.feather": wallet([1000, 990, 1012]) };
    const both = await zipOf({ ...ofFirst, "x_Ema_wallet.feather": wallet([1000, 1005, 1028]) });
    expect(both.kind).toBe("equity");
    expect(both.rows!.names).toEqual(["Ema_Cross", "Ema"]);
    expect(both.rows!.columns.map((column) => column[2])).toEqual([1012, 1028]);
    expect((await zipOf(ofFirst)).kind).toBe("trades");
    const shorter = { ...ofFirst, "x_Ema_wallet.feather": wallet([1000, 1028]) };
    expect((await zipOf(shorter)).kind).toBe("trades");
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

  test("epochs of a hyperopt state theirs, and the best by its own loss", async () => {
    const lines = [A, B].map((results_metrics, place) =>
      JSON.stringify({ current_epoch: place + 1, results_metrics, loss: 5 - place }),
    );
    const read = await readText(lines.join("\n"));
    expect(read.statedReason).toContain("best epoch is 2");
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

  test.each([
    ['{"latest_backtest": "backtest-result-x.zip"}', "send the file beside it that it names"],
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

  test("positions as JSON, which pandas writes without their ids", async () => {
    const [ts_opened, ts_closed] = ["2024-01-01", "2024-01-20"];
    const position = { entry: "BUY", realized_pnl: "-5.5 USDT", ts_opened, ts_closed };
    const read = await readText(JSON.stringify([position]), { startingCapital: 100 });
    expect([read.format, read.trades!.trades[0]!.profit]).toEqual(["nautilus-positions", -5.5]);
  });

  test.each([
    ["client_order_id,trader_id,venue_order_id,last_px\nO-1,T,V,5\n", "orders and fills"],
    [
      ",a,b,c,d,e,f\nSharpe,1,2,3,4,5,6\ntotal_return,1,2,3,4,5,6\nend,1,2,3,4,5,6\n",
      "finished statistics",
    ],
    [",0\nSharpe Ratio (252 days),1.2\nProfit Factor,1.5\n", "finished statistics"],
  ])("%s is refused by name", async (text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });
});

test.each(["", "date"])("positions under an index called '%s' are no variants", async (name) => {
  const positions = csvOf(`${name},BTC,ETH,cash`, (row) => `${100 + row},${200 - row},50`);
  await expect(readText(positions)).rejects.toThrow("pyfolio's table of positions");
});

describe("vectorbt", () => {
  test("orders are refused by name", async () => {
    const text =
      ',Order Id,Column,Timestamp,Size,Price,Fees,Side\n0,0,"(5, 8)",2024-01-01,1,2,0,Buy\n';
    await expect(readText(text)).rejects.toThrow("vectorbt's list of orders");
  });

  test.each([
    ["names of levels, none of the index", "fast,4,4\nslow,7,9"],
    ["neither", ",4,4\n,7,9"],
    ["the index", "fast,4,4\nslow,7,9\ndate,,"],
  ])("a grid whose header has %s", async (_, header) => {
    const read = await readText(csvOf(header, (row) => `${smallReturn(row)},0`));
    expect([read.format, read.rows!.names]).toEqual(["vectorbt-matrix", ["4|7", "4|9"]]);
    expect(read.rows!.instants).toHaveLength(20);
  });

  test("a damaged first date is no level of a header", async () => {
    const damaged = csvOf("date,a", (row) => `${smallReturn(row)}`).replace("2023-01-02", "x");
    await expect(readText(damaged)).rejects.toThrow("is of no known tool");
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

test("polars' decimals in Arrow are numbers", async () => {
  const cents = [-2, -1, 0, 1].map(
    (value) => new Uint32Array(Int32Array.of(value, value >> 31, value >> 31, value >> 31).buffer),
  );
  const date = vectorFromArray(cents.map((_, row) => new Date(Date.UTC(2024, 0, row + 1))));
  const table = new Table({ date, cents: vectorFromArray(cents, new Decimal(2, 9)) });
  const { rows } = await readExport(tableToIPC(table, "file"), { format: "returns" });
  expect([...rows!.columns[0]!]).toEqual([-0.02, -0.01, 0, 0.01]);
});
