import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MoreNeeded, ReadOptions } from "../../../check/formats/export.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { readText } from "./files.ts";

const CAPITAL: ReadOptions = { startingCapital: 10_000 };
const HOUR = 3600;
const START = Date.UTC(2024, 0, 1) / 1000;
const timeText = (seconds: number) =>
  new Date(1000 * seconds).toISOString().slice(0, 19).replace("T", " ");

async function returnsOf(text: string, options = CAPITAL): Promise<readonly number[]> {
  return [...(await readText(text, options)).rows!.columns[0]!];
}

/** The largest difference of two records; sums in another order round otherwise. */
function distance(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length) return Infinity;
  return found.reduce((most, value, day) => Math.max(most, Math.abs(value - expected[day]!)), 0);
}
const TINY = 1e-10;

interface MadeFill {
  readonly time: number;
  readonly buys: boolean;
  readonly size: number;
  readonly price: number;
}

/** Purchases, and sales of at most what is held; sizes are halves, which are exact. */
const madeFills = fc
  .array(
    fc.record({
      hours: fc.integer({ min: 1, max: 60 }),
      part: fc.integer({ min: -3, max: 8 }),
      price: fc.integer({ min: 50, max: 150 }),
    }),
    { minLength: 5, maxLength: 30 },
  )
  .map((steps) => {
    let [time, held] = [START, 0];
    return steps.map(({ hours, part, price }): MadeFill => {
      time += hours * HOUR;
      const buys = part > 0 || held === 0;
      const size = buys ? Math.abs(part) + 0.5 : held / (part === 0 ? 1 : 2);
      held += buys ? size : -size;
      return { time, buys, size, price };
    });
  });

const fillRow = ({ time, buys, size, price }: MadeFill) => [
  timeText(time),
  buys ? "buy" : "sell",
  String(price),
  String(size),
  String(size * price * 0.001),
  "PEPE", // no other prices of one asset go from 50 to 150 within an hour
];
const HEADER = ["time", "side", "price", "amount", "fee", "coin"];
const fillText = (rows: readonly (readonly string[])[], header = HEADER) =>
  [header, ...rows].map((cells) => cells.join(",")).join("\n");

/** Equity by cash and holdings, day by day: what fills did to the account, written without any matching. */
function byCash(fills: readonly MadeFill[]): number {
  const spent = fills.map(({ buys, size, price }) => {
    return (buys ? -1 : 1) * size * price - size * price * 0.001;
  });
  const held = fills.reduce((sum, { buys, size }) => sum + (buys ? size : -size), 0);
  return spent.reduce((sum, each) => sum + each, 0) + held * fills.at(-1)!.price;
}

describe("fills", () => {
  test("earn what the cash and the rest at its last price say", async () => {
    await fc.assert(
      fc.asyncProperty(madeFills, async (fills) => {
        fc.pre(fills.some(({ buys }) => !buys));
        const returns = await returnsOf(fillText(fills.map(fillRow)));
        const end = 10_000 * returns.reduce((growth, rate) => growth * (1 + rate), 1);
        expect(end).toBeCloseTo(10_000 + byCash(fills), 6);
      }),
      { numRuns: 60 },
    );
  });

  test("give the same in any order of rows and columns, in parts, and with currencies", async () => {
    await fc.assert(
      fc.asyncProperty(madeFills, fc.nat(4), async (fills, by) => {
        const rows = fills.map(fillRow);
        const plain = await returnsOf(fillText(rows));
        const turn = (cells: readonly string[]) => [...cells.slice(by), ...cells.slice(0, by)];
        const mixed = rows.toSorted((a, b) => a[2]!.localeCompare(b[2]!)).map(turn);
        const halves = fills.map((fill) => ({ ...fill, size: fill.size / 2 }));
        const parts = halves.flatMap((half) => [half, half]);
        const money = rows.map((row) => row.with(2, `$${row[2]!}`).with(4, `${row[4]!} USD`));
        const texts = [
          fillText(mixed, turn(HEADER)),
          fillText(rows.toReversed()),
          fillText(parts.map(fillRow)),
          fillText(money, ["Time", "Side", "Price ($)", "Amount", "Fee (USD)", "Coin"]),
        ];
        const found = await Promise.all(texts.map((text) => returnsOf(text)));
        for (const returns of found) expect(distance(returns, plain)).toBeLessThan(TINY);
      }),
      { numRuns: 40 },
    );
  });

  const ASSET_NAMES = [
    "company_name",
    "Scrip Name",
    "scrip_code",
    "code",
    "Name",
    "证券代码",
    "股票代码",
    "종목명",
    "Bezeichnung",
    "what",
  ];
  const manyAssets = fc.record({
    name: fc.constantFrom(...ASSET_NAMES),
    starts: fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 5 }),
    moves: fc.array(fc.record({ asset: fc.nat(4), step: fc.integer({ min: -40, max: 40 }) }), {
      minLength: 40,
      maxLength: 80,
    }),
    turn: fc.nat(8),
  });

  test("of several assets are matched apart whatever the column is called and stands beside", async () => {
    await fc.assert(
      fc.asyncProperty(manyAssets, async ({ name, starts, moves, turn }) => {
        const prices = starts.map((start) => 5 * 2 ** start);
        const held = starts.map(() => 0);
        const rows = moves.map(({ asset, step }, at) => {
          const which = asset % starts.length;
          prices[which]! *= 1 + step / 1000;
          const buys = held[which] === 0 || step % 3 === 0;
          held[which]! += buys ? 1 : -1;
          const price = prices[which]!.toFixed(4);
          const constant = ["Equity", "NSE", String(1e6 + at), at % 2 === 0 ? "A" : "B"];
          return [
            timeText(START + 9000 * at),
            buys ? "buy" : "sell",
            price,
            "1",
            `X${which}`,
            ...constant,
          ];
        });
        const turned = (cells: readonly string[]) => [
          ...cells.slice(turn),
          ...cells.slice(0, turn),
        ];
        const header = (asset: string) => [
          "time",
          "side",
          "price",
          "qty",
          asset,
          "Instrument Type",
          "Market",
          "order id",
          "venue",
        ];
        const [found, plain] = await Promise.all([
          returnsOf(fillText(rows.map(turned), turned(header(name)))),
          returnsOf(
            fillText(
              rows.map((row) => row.slice(0, 5)),
              header("symbol").slice(0, 5),
            ),
          ),
        ]);
        expect(distance(found, plain)).toBeLessThan(TINY);
      }),
      { numRuns: 60 },
    );
  });

  test("of two coins are matched apart", async () => {
    const rows = ["A,buy,100,1", "B,buy,10,5", "B,sell,12,5", "A,sell,90,1"].map(
      (row, place) => `2024-01-0${place + 1} 10:00:00,${row}`,
    );
    const returns = await returnsOf(["time,coin,side,price,qty", ...rows].join("\n"));
    expect(distance(returns, [0, 0, 10 / 10_000, -10 / 10_010])).toBeLessThan(TINY);
  });

  test.each([
    ["a second purchase on another day", "2024-01-02", undefined],
    ["a second purchase on the same day", "2024-01-01", 3],
  ])("%s and the position that prices can value", async (_, day, size) => {
    const rows = [
      "2024-01-01 01:00:00,buy,100,1",
      `${day} 02:00:00,buy,100,2`,
      "2024-01-05 10:00:00,sell,110,3",
    ];
    const { trades } = await readText(["time,side,price,qty", ...rows].join("\n"), CAPITAL);
    expect(trades!.trades.map(({ position }) => position?.size)).toEqual([size]);
  });

  test("that sell what is held and a thousandth more are rounded", async () => {
    const rows = ["2024-01-01 10:00:00,buy,100,1", "2024-01-02 11:00:00,sell,110,1.0009"];
    const returns = await returnsOf(["time,side,price,qty", ...rows].join("\n"));
    expect(returns[1]).toBeCloseTo(10 / 10_000, 12);
  });
});

describe("a list of trades", () => {
  const rowOf = (day: number, profit: number) =>
    `${timeText(START + 86_400 * day)},${timeText(START + 86_400 * day + 9 * HOUR)},${profit}`;
  const rows = Array.from({ length: 20 }, (_, day) => rowOf(2 * day, ((7 * day) % 11) - 4));

  test("gives the same in any order of its rows", async () => {
    const header = "entry_time,exit_time,profit";
    const plain = await returnsOf([header, ...rows].join("\n"));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async (shuffled) => {
        const returns = await returnsOf([header, ...shuffled].join("\n"));
        expect(distance(returns, plain)).toBeLessThan(TINY);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ["$4.00", 4],
    ["$(4.00)", -4],
    ["($4.00)", -4],
    ["-$4.00", -4],
    ["(4.00 €)", -4],
    ["R$ -4.00", -4],
    ["₹4", 4],
    ["4 USDT", 4],
    ['"¥1,234"', 1234],
    ["\u22124.00\u00A0€", -4],
    ['"1,23,456.50"', 123_456.5],
    ["0.00400000 BTC", 0.004],
  ])("reads a profit of %s", async (cell, profit) => {
    const own = [...rows, `2024-03-01 10:00:00,2024-03-01 12:00:00,${cell}`];
    const text = ["entry,exit,P&L", ...own].join("\n");
    const { trades } = await readText(text, { startingCapital: 1e6 });
    expect(trades!.trades.at(-1)!.profit).toBe(profit);
  });

  test("asks for the order of dates and for the capital at once", async () => {
    const text =
      "opened,closed,profit\n02/05/2024,03/05/2024,5\n04/02/2024,05/02/2024,7\n03/03/2024,01/04/2024,1\n";
    const error: unknown = await readText(text).catch((thrown: unknown) => thrown);
    const asked = (error as MoreNeeded).questions.map(({ option }) => option);
    expect(asked).toEqual(["dates", "startingCapital"]);
  });

  test("names the line of a trade without a profit", async () => {
    const last = "2024-03-01 10:00:00,2024-03-02 10:00:00,";
    const text = ["entry time,exit time,profit", ...rows, last].join("\n");
    await expect(readText(text, CAPITAL)).rejects.toThrow("line 22: the trade has no profit");
  });

  test("with balances after percents needs no capital", async () => {
    let balance = 2000;
    const shares = rows.map((row, place) => {
      const share = ((place % 5) - 2) / 100;
      balance *= 1 + share;
      return `${row.split(",").slice(0, 2).join(",")},${(100 * share).toFixed(2)},${balance.toFixed(4)}`;
    });
    const text = ["entry time,exit time,pnl %,balance", ...shares].join("\n");
    const { trades, rows: found } = await readText(text);
    expect(trades!.capital).toBeCloseTo(2000, 1);
    const last = buildPanel(found!).columns[0]!.reduce((growth, rate) => growth * (1 + rate), 1);
    expect(last).toBeCloseTo(balance / 2000, 6);
  });
});

/** A row a day, or a bar, is no list, whatever stands beside the account. */
describe("a daily table", () => {
  const days = Array.from({ length: 30 }, (_, day) => timeText(START + 86_400 * day).slice(0, 10));
  test.each([
    ["date,equity,side,pnl,qty", (day: number) => `${1000 + day},long,1,2`],
    ["date,balance,action,price,size", (day: number) => `${1000 + day},buy,${100 + day},1`],
    ["date,price,signal,returns", (day: number) => `${100 + day},${day % 2 ? "buy" : "sell"},0.01`],
    ["date,equity,trades", (day: number) => `${1000 + day},${day % 4}`],
    ["date,pnl,commission", (day: number) => `${day % 5},1`],
    ["date,open,close,volume", (day: number) => `${100 + day},${101 + day},1000`],
    ["date,symbol,open,close,volume", (day: number) => `BTC,${100 + day},${101 + day},1000`],
    ["date,open,high,low,close,side,profit", () => "1,2,1,2,buy,5"],
  ])("%s is no list of trades", async (header, cell) => {
    const text = [header, ...days.map((date, day) => `${date},${cell(day)}`)].join("\n");
    const found = await readText(text, CAPITAL).then(
      ({ format }) => format,
      (error: Error) => error.message,
    );
    expect(found).not.toMatch(/^(trades|fills)$|trade has|are held/);
  });
});

test.each([
  [
    "no price",
    "entry time,exit time,side,qty,pnl",
    "2024-01-02,2024-01-04,long,1,5",
    "lack their size or price",
  ],
  [
    "one time",
    "time,symbol,side,price,qty,realized pnl,exit reason",
    "2024-01-04 10:00:00,BTC,long,100,1,5,tp",
    "doesn't say when trades were entered",
  ],
  [
    "another currency",
    "entry time,exit time,side,entry price,exit price,qty,pnl",
    "2024-01-02,2024-01-04,long,100,105,1,32.5",
    "profits are 6.5 times what sizes and prices make",
  ],
])("a list with %s says why it is not valued at prices", async (_, header, row, reason) => {
  const days = ["2024-02-02", "2024-03-02", "2024-04-02", "2024-05-02"];
  const rows = days.map((day) =>
    row.replace(/2024-01-02/, day).replace(/2024-01-0(\d)/, `${day.slice(0, 8)}0$1`),
  );
  const { trades } = await readText([header, ...rows].join("\n"), CAPITAL);
  const found = trades!.trades.map(({ unmarked = "" }) => unmarked);
  for (const each of found) expect(each).toContain(reason);
});
