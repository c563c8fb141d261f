import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CheckReport } from "../../api/check-report.ts";
import { matchedCsv } from "../../api/matched-trades.ts";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { pairName } from "../../check/formats/fee-unit.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { parsedCsv } from "../support/parsed-csv.ts";

interface Expected {
  readonly reason: string | null;
  readonly basis: "trades" | "days";
  readonly clock_seconds?: number;
  readonly bar_seconds?: number;
  readonly backtest_pct: number;
  readonly live_pct: number;
  readonly difference_pct: number;
  readonly pairs?: number;
  readonly left_out_backtest?: number;
  readonly left_out_live?: number;
  readonly size_ratio?: number;
  readonly classes: Readonly<
    Record<string, { readonly trades?: number; readonly days?: number; readonly points: number }>
  >;
  readonly matched?: readonly (readonly [readonly number[], readonly number[]])[];
}

interface Case {
  readonly starting_capital?: number;
  readonly live_starting_capital?: number;
  readonly live_since?: string;
  readonly expected: Expected;
}

/** What a comparison of days has. */
const NONE = { clock_seconds: 0, bar_seconds: null, pairs: null } as const;

const FOLDER = new URL("reconcile-cases/", import.meta.url);
const bytesIn = (path: string) => new Uint8Array(readFileSync(new URL(path, FOLDER)));
const caseIn = (name: string) =>
  JSON.parse(readFileSync(new URL(`${name}/case.json`, FOLDER), "utf8")) as Case;
const CASES = readdirSync(FOLDER).filter((name) => /^\d/.test(name));

async function compared(name: string, edit: (text: string) => string = (text) => text) {
  const of = caseIn(name);
  const startingCapital = of.live_starting_capital ?? of.starting_capital;
  const live = new TextEncoder().encode(
    edit(new TextDecoder().decode(bytesIn(`${name}/live.csv`))),
  );
  const options: CheckFileOptions = {
    startingCapital: of.starting_capital,
    liveSince: of.live_since,
    live: { startingCapital },
  };
  const read = await readExport(live, { startingCapital });
  const { report, matched } = await checkFile(bytesIn(`${name}/backtest.csv`), options, {
    live: read,
  });
  return { report: CheckReport.from(report), matched: matched! };
}

const SENTENCES: Readonly<Record<string, string>> = {
  "01-same": "Live and the backtest agree: -0.25 against -0.25 points.",
  "02-missing": "Live is 3.9 points behind the backtest: 3.9 from 12 trades that it did not take.",
  "03-late":
    "Live is 0.41 points ahead of the backtest: 0.57 from later entries (which may be chance); earlier exits took 0.16 away.",
  "04-slippage":
    "Live is 4.4 points behind the backtest: 2.0 from fees, 1.1 from worse exit prices, 1.1 from worse entry prices.",
  "05-size": "Live is 2.2 points behind the backtest: 2.2 from smaller trades (0.50 of the size).",
  "06-partials":
    "Live is 2.5 points ahead of the backtest: 2.4 from smaller trades (0.73 of the size), 0.3 from the rest.",
  "12-days":
    "Live is 3.4 points behind the backtest: 8.7 from a drag of 0.08 points a day; other causes gave 5.3 back.",
};

describe("two files whose trades were made to differ", () => {
  // A zone with summer time refuses the pair, whose backtest has no days before the live ones.
  test.each(CASES.filter((name) => caseIn(name).expected.reason === null))("%s", async (name) => {
    const { expected } = caseIn(name);
    const { report, matched } = await compared(name);
    const of = report.reconciliation!;
    expect(report.reconciliation_reason).toBeNull();
    expect(of.basis).toBe(expected.basis);
    for (const member of ["backtest_pct", "live_pct", "difference_pct"] as const)
      expect(Math.abs(of[member] - expected[member]), `of ${member}`).toBeLessThan(1e-9);
    expect(of.sentence).toBe(SENTENCES[name] ?? of.sentence);
    for (const [cause, { trades, days, points }] of Object.entries(expected.classes)) {
      const found = of.causes.find((each) => each.cause === cause);
      expect(Math.abs((found?.points ?? 0) - points), `of ${cause}`).toBeLessThan(1e-6);
      const count = cause === "rest" ? found?.count : (trades ?? days); // the reference counts no rest
      expect(found?.count ?? 0, `of ${cause}`).toBe(count ?? 0);
    }
    const sum = of.causes.reduce((all, { points }) => all + points, 0);
    expect(Math.abs(sum - of.difference_pct)).toBeLessThan(1e-8); // ten digits of each
    expect(of.size_ratio).toBeCloseTo(expected.size_ratio ?? of.size_ratio!, 9);
    for (const member of ["clock_seconds", "bar_seconds", "pairs"] as const)
      expect(of[member], `of ${member}`).toBe(expected[member] ?? NONE[member]);
    expect(of.left_out_backtest).toBe(expected.left_out_backtest ?? null);
    expect(of.left_out_live).toBe(expected.left_out_live ?? null);
    const rows = parsedCsv(matchedCsv(matched));
    const lines = (cell: string) => cell.split(" ").map(Number);
    const pairs = rows
      .filter((row) => row["cause"] === "matched")
      .map((row) => [lines(row["backtest_lines"]!), lines(row["live_lines"]!)]);
    const inOrder = (list: Expected["matched"]) => list!.toSorted((a, b) => a[0][0]! - b[0][0]!);
    expect(inOrder(pairs as never)).toEqual(inOrder(expected.matched ?? []));
    for (const { cause, points } of rows.length === 0 ? [] : of.causes) {
      const total = rows.reduce((all, row) => all + Number(row[cause]), 0);
      expect(Math.abs(total - points), `of ${cause}`).toBeLessThan(1e-6);
    }
  });

  test("a zone with summer time is refused as today, without a verdict or a reconciliation", async () => {
    await expect(compared("08-dst")).rejects.toThrow("0 days before 2025-08-30");
  });

  test("which of them are more than chance", async () => {
    const tOf = async (name: string, cause: string) =>
      (await compared(name)).report.reconciliation!.causes.find((each) => each.cause === cause)!;
    expect(await tOf("02-missing", "missing")).toMatchObject({ more_than_chance: true });
    expect((await tOf("02-missing", "missing")).t).toBeCloseTo(3.04, 2);
    expect(await tOf("03-late", "entry_time")).toMatchObject({ more_than_chance: false });
    expect((await tOf("03-late", "entry_time")).t).toBeCloseTo(0.78, 2);
    const codes = (await compared("02-missing")).report.reconciliation!.notes;
    expect(codes.map(({ code }) => code)).toEqual(["better_missed"]);
  });
});

describe("files whose backtest has no days before the live ones", () => {
  test("are compared and get no verdict on the live days", async () => {
    const { report } = await compared("06-partials");
    expect(report.live).toBeNull();
    expect(report.reconciliation!.pairs).toBe(133);
    const [warning] = report.input.warnings.filter(({ code }) => code === "no_days_before_live");
    expect(warning!.message).toMatch(/has 0 days before .* run the backtest from earlier$/);
  });

  test("are refused as before where they can't be compared", async () => {
    const other = (text: string) => text.replaceAll("BTC/USDT", "SOL/EUR");
    await expect(compared("06-partials", other)).rejects.toThrow("0 days before 2025-07-01");
  });
});

test("coins that the lists don't share are a reason, and every other figure is as without the reconciliation", async () => {
  const { report } = await compared("02-missing", (text) => text.replaceAll("/USDT", "/EUR"));
  expect(report.reconciliation).toBeNull();
  expect(report.reconciliation_reason).toEqual({
    code: "no_shared_coin",
    message:
      "the files have no coin in common: BTC/USD, ETH/USD, SOL/USD in the backtest, BTC/EUR, ETH/EUR, SOL/EUR live",
  });
  expect(report.live!.verdict.value).toBe(
    (await compared("02-missing")).report.live!.verdict.value,
  );
});

test("a list of a few trades is compared by its days, or says why not", async () => {
  const { report } = await compared("02-missing", (text) =>
    text.split("\n").slice(0, 4).join("\n"),
  );
  expect(report.reconciliation_reason!.code).toBe("few_trades");
});

test.each(["csv", "json"])("freqtrade's table of trades is read, as %s", async (kind) => {
  const expected = JSON.parse(
    readFileSync(new URL("reader-freqtrade/expected.json", FOLDER), "utf8"),
  ) as Readonly<Record<"total_return_pct" | "trades" | "fees" | "size_of_first", number>>;
  const read = await readExport(bytesIn(`reader-freqtrade/live.${kind}`), {
    startingCapital: 10_000,
  });
  const { trades } = read.ledger!;
  const total = (of: "fee" | "profit") => trades.reduce((sum, trade) => sum + trade[of], 0);
  expect(trades).toHaveLength(expected.trades);
  expect(trades[0]).toMatchObject({ size: expected.size_of_first, reason: "roi", funding: 0 });
  expect(total("fee")).toBeCloseTo(expected.fees, 9);
  expect(total("profit") / 100).toBeCloseTo(expected.total_return_pct, 9);
  expect(read.warnings.map(({ code }) => code)).toEqual(["realised_only", "window_of_trades"]);
});

test("freqtrade's table pays and gains funding, and has fees as rates where it has none in money", async () => {
  const text = new TextDecoder().decode(bytesIn("reader-freqtrade/live.csv"));
  const rows = parsedCsv(text.replaceAll("\n", "\r\n")).map((row, at) => {
    const funding_fees = at % 2 === 0 ? "0.5" : "-0.25";
    return { ...row, funding_fees, fee_open_cost: "", fee_close_cost: "" };
  });
  const file = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].join("\n");
  const read = await readExport(new TextEncoder().encode(file), { startingCapital: 10_000 });
  const { trades } = read.ledger!;
  expect(trades.slice(0, 2).map(({ funding }) => funding)).toEqual([-0.5, 0.25]);
  expect(trades.reduce((sum, { fee }) => sum + fee, 0)).toBeCloseTo(120.0342, 3);
});

test.each([
  ["BTC/USDT", "BTC/USD"],
  ["BTCUSDT", "BTC/USD"],
  ["BTC-USDT-SWAP", "BTC/USD"],
  ["BTC/USDT:USDT", "BTC/USD"],
  ["BINANCE:BTCUSDT.P", "BTC/USD"],
  ["BTC_USDT", "BTC/USD"],
  ["XBTUSD", "BTC/USD"],
  ["XBT/USD", "BTC/USD"],
  ["XXBTZUSD", "BTC/USD"],
  ["BTCFDUSD", "BTC/USD"],
  ["BTC-PERP", "BTC/USD"],
  ["btc", "BTC/USD"],
  ["BTC/EUR", "BTC/EUR"],
  ["ETH/BTC", "ETH/BTC"],
  ["1000SHIBUSDT", "1000SHIB/USD"],
])("%s is %s", (symbol, name) => {
  expect(pairName(symbol)).toBe(name);
});
