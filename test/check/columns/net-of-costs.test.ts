import { FileRefused } from "../../../files/refused.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { FIRST_DAY } from "../../quant/check/panels.ts";
import { readText } from "../formats/files.ts";

const DAYS = 60;
/** All 1,000 take half a minute: `HINDSIGHT_TABLES=1000`. */
const TABLES = Number(process.env["HINDSIGHT_TABLES"] ?? 300);
const CAPITAL = 10_000;
const name = (words: string) => fc.constantFrom(...words.split("|"));

const PROFITS = name(
  "daily_pnl|pnl|P&L|gross_pnl|Gewinn|Brutto Gewinn|盈亏|trading profit|PnL (USD)",
);
const RETURNS = name(
  "return|ret|daily_return|gross_return|ret_gross|strategy_return|Strategy Returns|Rendite|收益率",
);
const NETS = name("net|after_costs|netto");
const COSTS =
  "fees|commission|transaction_cost|slippage|Gebühren|frais|手续费|trading_costs|fee_paid|spread_cost|brokerage";
const ACCOUNTS = name("equity|portfolio_value|nav|Depotwert|总资产|balance|Net Liquidation");
const FORECASTS = name("predicted_return|forecast|y_pred|yhat|Prognose|predicted_equity|ret_pred");
const ACTUALS = name("actual_return|y_true|target_return|actual|real_return");
const BESIDE = name("n_trades|position|rsi|signal|turnover|close");

interface Column {
  readonly name: string;
  readonly values: readonly number[];
}

/** Numbers of a linear congruential generator, from 0 to 1. */
function noise(seed: number): number[] {
  let state = seed;
  return Array.from(
    { length: DAYS },
    () => (state = (16_807 * state) % 2_147_483_647) / 2_147_483_647,
  );
}

const sums = (values: readonly number[]) => {
  let sum = 0;
  return values.map((value) => (sum += value));
};
const rounded = (values: readonly number[], digits = 8) =>
  values.map((value) => Number(value.toFixed(digits)));

/** A record that costs turn from a rise into a loss: what the account made each day, and all that may stand beside it. */
const record = fc.record({
  layout: fc.constantFrom("profits", "returns", "gross and net", "account", "account and gross"),
  seed: fc.integer({ min: 1, max: 2_147_483_646 }),
  names: fc.record({ profit: PROFITS, ret: RETURNS, net: NETS, account: ACCOUNTS }),
  costs: fc.uniqueArray(name(COSTS), { minLength: 1, maxLength: 3 }),
  isConstant: fc.boolean(),
  isNegative: fc.boolean(),
  isSoFar: fc.boolean(),
  forecast: fc.option(fc.tuple(FORECASTS, ACTUALS), { nil: undefined }),
  beside: fc.option(BESIDE, { nil: undefined }),
  newestFirst: fc.boolean(),
  order: fc.array(fc.double({ noNaN: true }), { minLength: 9, maxLength: 9 }),
  separator: fc.constantFrom(",", ";", "\t"),
});
type Made = typeof record extends fc.Arbitrary<infer Value> ? Value : never;

function tableOf(made: Made) {
  const { layout, seed, names, isConstant } = made;
  const isMoney = layout === "profits" || layout.startsWith("account");
  const unit = isMoney ? CAPITAL : 1;
  const gross = rounded(noise(seed).map((value) => unit * (0.004 + 0.02 * (value - 0.5))));
  const costs = made.costs.map((called, at) => {
    const size = (unit * 0.006) / made.costs.length;
    const values = noise(seed + at + 1).map((value) => size * (isConstant ? 1 : 0.5 + value));
    return { name: called, values: rounded(values) };
  });
  const net = gross.map((value, row) =>
    costs.reduce((left, cost) => left - cost.values[row]!, value),
  );
  const value = sums(net).map((sum) => CAPITAL + sum);
  const own: Record<Made["layout"], readonly Column[]> = {
    profits: [{ name: names.profit, values: gross }],
    returns: [{ name: names.ret, values: gross }],
    "gross and net": [
      { name: "gross_return", values: gross },
      { name: `return_${names.net}`, values: rounded(net) },
    ],
    account: [{ name: names.account, values: value }],
    "account and gross": [
      { name: names.account, values: value },
      { name: "gross_pnl", values: gross },
    ],
  };
  const sign = made.isNegative ? -1 : 1;
  const paid = costs.map(({ name: called, values }) => ({
    name: made.isSoFar ? `cumulative_${called}` : called,
    values: rounded((made.isSoFar ? sums(values) : values).map((each) => sign * each)),
  }));
  const rising = noise(seed + 7).map((each) => 0.004 + 0.02 * (each - 0.5));
  const forecast = (made.forecast ?? []).map((called) => ({
    name: called,
    values: rounded(rising),
  }));
  const beside =
    made.beside === undefined ? [] : [{ name: made.beside, values: rounded(noise(seed + 9), 3) }];
  const columns = [...own[layout], ...paid, ...forecast, ...beside]
    .map((column, at) => ({ column, key: made.order[at]! }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ column }) => column);
  const steps = isMoney ? net.map((each, row) => each / (value[row]! - each)) : net;
  return { columns, steps };
}

function textOf(columns: readonly Column[], { newestFirst, separator }: Made): string {
  const rows = Array.from({ length: DAYS }, (_, row) =>
    [dateOfDay(FIRST_DAY + row), ...columns.map(({ values }) => values[row])].join(separator),
  );
  const header = ["date", ...columns.map((column) => `"${column.name}"`)].join(separator);
  return [header, ...(newestFirst ? rows.toReversed() : rows), ""].join("\n");
}

test("costs, balances and forecasts beside the account: the net account is judged, or it is asked", async () => {
  const found = { judged: 0, asked: 0, refused: 0 };
  const property = fc.asyncProperty(record, async (made) => {
    const { columns, steps } = tableOf(made);
    const read = await readText(textOf(columns, made), { startingCapital: CAPITAL }).catch(
      (error: unknown) => {
        if (error instanceof MoreNeeded) found.asked++;
        else if (error instanceof FileRefused) found.refused++;
        else throw error;
      },
    );
    if (read === undefined) return;
    found.judged++;
    const panel = buildPanel(read.rows!);
    expect(panel.names).toHaveLength(1);
    const [returns] = panel.columns;
    const wanted = steps.slice(-returns!.length);
    const off = wanted.map((step, row) => Math.abs(step - returns![row]!));
    expect(Math.max(...off)).toBeLessThan(1e-6);
  });
  await fc.assert(property, { numRuns: TABLES, seed: 55 });
  expect(found.judged).toBeGreaterThan(0.6 * TABLES);
});
