import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkFile } from "../../../check/check-file.ts";
import { MoreNeeded, type ReadExport, type ReadOptions } from "../../../check/formats/export.ts";
import { readText, utf8 } from "../formats/files.ts";

const DAYS = 40;
const ACCOUNTS =
  "equity|Equity|EQUITY|portfolio_value|Portfolio Value|portfolioValue|nav|NAV (USD)|account value|AccountValue|Net Liquidation|" +
  "total_equity|net_worth|Depotwert|Gesamtwert|Valeur du portefeuille|Patrimonio|总资产|equity_usd|Total Value [$]";
const RETURNS =
  "returns|Return|daily_return|DailyReturn|ret|strategy_returns|Strategy Return|portfolio return|Rendite|rendement|收益率|pnl_pct|Return [%]";
const HELPERS =
  "cash|Cash Balance|position|positions_value|holdings|exposure|Exposure (%)|leverage|signal|drawdown|Max Drawdown|peak|hwm|fees|" +
  "commission|cost|turnover|trades|n_trades|trade_count|weight|rsi|RSI14|rsi_14|sma_20|SMA20|ema12|macd|macd_signal|atr|adx|bb_upper|" +
  "bollinger_lower|volatility|vix|unrealized_pnl|margin|buying power|stop_loss|entry_price|Barbestand|Liquidités|Gebühren|手续费|仓位|" +
  "equity_sma_20|prev_equity|initial_capital|equity_peak|max_equity|foo|heat|sentiment|my_score|regime|temperature|humidity";
const MARKETS =
  "spy|SPY|qqq|benchmark|benchmark_nav|Benchmark Value|market|buy_and_hold|Buy & Hold|hodl|sp500|close|Adj Close|price|btc_price|market_returns";
const name = (words: string) => fc.constantFrom(...words.split("|"));

/** A level that moves by noise and a drift of a bar, from the seed. */
function level(seed: number, drift: number, start: number): number[] {
  let state = seed;
  let value = start;
  return Array.from({ length: DAYS }, (_, row) => {
    state = (16_807 * state) % 2_147_483_647;
    if (row > 0) value *= 1 + drift + 0.02 * (state / 2_147_483_647 - 0.5);
    return Number(value.toPrecision(9));
  });
}

const steps = (values: readonly number[]) =>
  values.map((value, row) => (row === 0 ? 0 : value / values[row - 1]! - 1));

interface Column {
  readonly name: string;
  readonly values: readonly number[];
}

function csv(columns: readonly Column[]): string {
  const days = Array.from({ length: DAYS }, (_, row) => {
    const date = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
    return [date, ...columns.map(({ values }) => values[row])].join(",");
  });
  return [["date", ...columns.map((each) => `"${each.name}"`)].join(","), ...days, ""].join("\n");
}

const seed = fc.integer({ min: 1, max: 2_147_483_646 });
const helper: fc.Arbitrary<Column> = fc
  .tuple(name(HELPERS), seed, fc.constantFrom("up", "down", "flat", "around", "small"))
  .map(([called, from, shape]) => {
    const values = { up: level(from, 0.006, 50), down: level(from, -0.006, 50) };
    if (shape === "up" || shape === "down") return { name: called, values: values[shape] };
    const moved = steps(values.up).map((step) => (shape === "around" ? step : 1 + step / 100));
    return { name: called, values: shape === "flat" ? values.up.map(() => 3) : moved };
  });
const market: fc.Arbitrary<Column> = fc.tuple(name(MARKETS), seed).map(([called, from]) => {
  const values = level(from, 0.004, 400);
  return { name: called, values: called.includes("returns") ? steps(values) : values };
});
const account: fc.Arbitrary<Column> = fc
  .tuple(name(ACCOUNTS), seed, fc.constantFrom(-0.003, 0, 0.004))
  .map(([called, from, drift]) => ({ name: called, values: level(from, drift, 10_000) }));
const moves: fc.Arbitrary<Column> = fc
  .tuple(name(RETURNS), seed, fc.constantFrom(-0.003, 0, 0.004))
  .map(([called, from, drift]) => {
    const scale = /pct|%/.test(called) ? 100 : 1;
    return { name: called, values: steps(level(from, drift, 1)).map((step) => scale * step) };
  });
const strategy = fc.oneof(account, moves);
const beside = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: helper }, market), {
  maxLength: 5,
  selector: (column) => column.name.toLowerCase(),
});

/** What is judged, or the options that were asked for. */
async function judged(columns: readonly Column[], options: ReadOptions = {}) {
  let read: ReadExport;
  try {
    read = await readText(csv(columns), options);
  } catch (error) {
    if (error instanceof MoreNeeded) return { asked: error.questions.map(({ option }) => option) };
    throw error;
  }
  const { rows, realisedOnly, doubt } = read;
  return { names: rows!.names, columns: rows!.columns, realisedOnly, doubts: doubt?.questions };
}

/** Beside returns, costs of one sign are no mere helpers. */
const COSTS = /^(fees|commission|cost|Gebühren|手续费)$/;

function costsBeside(own: Column, columns: readonly Column[]): readonly Column[] {
  const isOfSign = (values: readonly number[]) => values.every((value) => value > 0);
  return columns.filter(
    ({ name: other, values }) =>
      RETURNS.split("|").includes(own.name) && COSTS.test(other) && isOfSign(values),
  );
}

function withoutName(columns: readonly Column[], strategyName: string): readonly Column[] {
  return columns.filter(({ name: other }) => other.toLowerCase() !== strategyName.toLowerCase());
}

type Found = Awaited<ReturnType<typeof judged>>;

/** What has to be found: without costs what is judged alone, else its net figures, or the question what the costs are. */
function wanted(found: Found, alone: Found, costs: readonly Column[], scale: number): object {
  if (costs.length === 0) return alone;
  if (found.asked !== undefined) return { asked: ["leaveOut"] };
  const paid = (row: number) => costs.reduce((sum, { values }) => sum + values[row]! / scale, 0);
  return { ...alone, columns: [alone.columns![0]!.map((value, row) => value - paid(row))] };
}

const rounded = (found: { readonly columns?: readonly Float64Array[] }): object => ({
  ...found,
  columns: found.columns?.map((column) => column.map((value) => Number(value.toFixed(9)))),
});

test(
  "beside any helpers and markets, in any order, the strategy's column is judged",
  { timeout: 180_000 },
  async () => {
    const table = fc.tuple(
      strategy,
      beside,
      fc.array(fc.double({ noNaN: true }), { minLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(table, async ([own, others, order]) => {
        const columns = [own, ...withoutName(others, own.name)];
        const shuffled = columns
          .map((column, place) => ({ column, key: order[place % order.length]! }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ column }) => column);
        const alone = await judged([own]);
        const costs = costsBeside(own, columns);
        const scale = /pct|%/.test(own.name) ? 100 : 1;
        for (const some of [columns, shuffled]) {
          const found = await judged(some);
          expect(rounded(found)).toEqual(rounded(wanted(found, alone, costs, scale)));
          const leaveOut = costs.map((cost) => cost.name);
          expect(await judged(some, { leaveOut })).toEqual(alone);
        }
        expect(alone.names).toEqual([own.name.trim()]);
      }),
      { numRuns: 1000, seed: 41 },
    );
  },
);

test("no helper beside a strategy makes skill of its verdict", { timeout: 120_000 }, async () => {
  const verdictOf = async (columns: readonly Column[]) => {
    try {
      const { report } = await checkFile(utf8(csv(columns)), { nTrials: 1 });
      return report.verdict.value;
    } catch (error) {
      if (error instanceof MoreNeeded) return "asked";
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(strategy, helper, async (own, other) => {
      const columns = [own, ...withoutName([other], own.name)];
      const [one, both] = [await judged([own]), await judged(columns)];
      const hasMarket = (await readText(csv(columns)).catch(() => undefined))?.market !== undefined;
      if (isDeepStrictEqual(one, both) && !hasMarket) return; // what is read alike is judged alike
      const [alone, beside] = [await verdictOf([own]), await verdictOf(columns)];
      expect(beside === "skill" && alone !== "skill").toBe(false);
    }),
    { numRuns: 1000, seed: 42 },
  );
});

test("a deposit of any size is taken out of the curve, to the digit of the cells", async () => {
  const paid = fc.array(
    fc.tuple(fc.integer({ min: 1, max: DAYS - 1 }), fc.integer({ min: -3, max: 40 })),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(seed, paid, fc.boolean(), async (from, payments, asSum) => {
      const growth = steps(level(from, 0.001, 1));
      const flows = Array.from({ length: DAYS }, () => 0);
      for (const [row, hundreds] of payments) flows[row]! += 100 * hundreds;
      fc.pre(flows.some((flow) => flow !== 0));
      let value = 10_000;
      const values = growth.map((step, row) => (value = value * (1 + step) + flows[row]!));
      let sum = 10_000;
      const sums = flows.map((flow) => (sum += flow));
      const flow = asSum ? { name: "invested", values: sums } : { name: "deposits", values: flows };
      const read = await judged([{ name: "equity", values }, flow], { flows: flow.name });
      const curve = read.columns![0]!;
      for (let row = 1; row < DAYS; row++)
        expect(curve[row]! / curve[row - 1]! - 1).toBeCloseTo(growth[row]!, 10);
    }),
    { numRuns: 200, seed: 43 },
  );
});
