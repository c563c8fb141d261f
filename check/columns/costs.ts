import { median } from "../../quant/sample-statistics.ts";
import { question } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import { isSumOf } from "../formats/trade-rows.ts";
import { columnNames } from "./columns-shown.ts";
import { COSTS, FEES, nameParts, OTHER_COSTS, TRADE_WORDS } from "./names.ts";
import type { Judged, Reading } from "./reading.ts";
import type { Role, RoledColumn } from "./roles.ts";
import { shapeOf, SMOOTH } from "./series.ts";

/** The words of lists of trades, and those that only tables of days have. */
const words = (some: string, more: string) => new Set(`${some} ${more}`.split(" "));
const COST = words(`${FEES} ${COSTS}`, OTHER_COSTS);
const NO_COST = words(
  "basis price entry exit rate avg average mean model level per share",
  "value equity profit pnl",
);
const GROSS = words(TRADE_WORDS.gross, "before beforefees beforecosts raw bruta lorda 费前");
const NET = words(
  TRADE_WORDS.net,
  "after netofcosts netoffees afterfees aftercosts netprofit netgain 税后 费后",
);

const says = ({ name }: RoledColumn, some: ReadonlySet<string>) =>
  nameParts(name).some(({ text }) => some.has(text.normalize("NFC")));

/** The columns without the costs that they have not paid yet, and the columns of these costs. */
export function afterCosts(
  judged: Judged,
  reading: Reading,
): { readonly judged: Judged; readonly costs: readonly RoledColumn[] } {
  const used = new Set<RoledColumn>();
  const all = costsOf(reading.columns);
  if (all.paid.length === 0) return { judged, costs: [] };
  const columns = judged.columns.map((column) => {
    const isOne = all.columns.includes(column);
    const beside = isOne ? costsOf(reading.columns.filter((each) => each !== column)) : all;
    const { role } = judged;
    const isGrowth = role === "growth";
    const own = isGrowth ? { ...column, values: reading.units.levels(column) } : column;
    const open = openCosts(own, beside, { ...reading, role });
    if (open === undefined) return column;
    for (const cost of open.columns) used.add(cost);
    const values = lessCosts(own, role, open.paid[0]!);
    return { ...column, values, shape: shapeOf(values) };
  });
  return { judged: { ...judged, columns }, costs: [...used] };
}

/** Values of single rows less the cost of each, sums less all costs so far, and a growth whose steps are less by them. */
function lessCosts({ values }: RoledColumn, role: Role, paid: Float64Array): Float64Array {
  if (role === "profit" || role === "return") return values.map((value, row) => value - paid[row]!);
  let [sum, share] = [0, 1];
  return values.map((value, row) => {
    const before = values[row - 1] ?? NaN;
    if (role !== "growth") return value - (sum += paid[row]!);
    if (!Number.isNaN(before)) share *= 1 - (paid[row]! * before) / value;
    return value * share;
  });
}

/** Whether a column holds what trading cost in each row, which is of one sign. */
function isCost(column: RoledColumn): boolean {
  const { role, shape } = column;
  const isOfSign = shape.least >= 0 || shape.most <= 0;
  const mayBe = isOfSign && (role === "helper" || role === "unknown");
  return (
    mayBe && (shape.moves || shape.first !== 0) && says(column, COST) && !says(column, NO_COST)
  );
}

/** Costs by row, above 0 where they were paid, and the columns that say so. */
interface Costs {
  readonly columns: readonly RoledColumn[];
  readonly paid: readonly Float64Array[];
}

export function costsOf(columns: readonly RoledColumn[]): Costs {
  const found = columns.filter(isCost);
  const paid = found.map((column) => {
    const money = column.values.map((value) => (Number.isNaN(value) ? 0 : value));
    const sum = money.reduce((all, value) => all + value, 0);
    const positive = sum < 0 ? money.map((value) => -value) : money;
    const { moves, roughness } = column.shape; // a fee that is the same every day isn't a sum
    const isSum = moves && (column.read.isCumulative || roughness < SMOOTH);
    const isSoFar = isSum && positive.every((value, row) => value >= (positive[row - 1] ?? 0));
    return isSoFar ? positive.map((value, row) => value - (positive[row - 1] ?? 0)) : positive;
  });
  const total = paid.findIndex((column) => paid.length > 2 && isSumOf(column, paid));
  return total < 0 ? { columns: found, paid } : { columns: [found[total]!], paid: [paid[total]!] };
}

/** Of figures before and after costs beside those costs, the ones after them. */
export function withoutGross(
  found: readonly RoledColumn[],
  columns: readonly RoledColumn[],
): readonly RoledColumn[] {
  const { paid } = costsOf(columns);
  const choices = [...paid, summed(paid)];
  const isNetOf = (net: RoledColumn, gross: RoledColumn) =>
    choices.some((cost) =>
      gross.values.every((value, row) => {
        const off = Math.abs(value - cost[row]! - net.values[row]!);
        const slack = 2 * (gross.halfUnits()[row]! + net.halfUnits()[row]!) + 1e-9;
        return !(off > slack);
      }),
    );
  if (paid.length === 0) return found;
  return found.filter((gross) => !found.some((net) => net !== gross && isNetOf(net, gross)));
}

function summed(columns: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(), ...others] = columns;
  return first.map((value, row) => others.reduce((sum, other) => sum + other[row]!, value));
}

const OF_ROWS: readonly Role[] = ["profit", "return", "cumulative profit"];

/**
 * The costs of each row that a judged column has not paid yet, in its own unit. A profit, a return or a sum of either has
 * paid them only where its name says so, as in lists of trades; a value of the account has, unless its name says gross.
 * Undefined where there are none.
 */
function openCosts(
  column: RoledColumn,
  costs: Costs,
  { columns, warnings, role }: Pick<Reading, "columns" | "warnings"> & Pick<Judged, "role">,
): Costs | undefined {
  const isOfRows = OF_ROWS.includes(role) || (role === "growth" && column.read.isCumulative);
  const isOpen = says(column, GROSS) || (isOfRows && !says(column, NET));
  if (costs.paid.length === 0 || !isOpen) return undefined;
  const names = costs.columns.map(({ name }) => `"${shortened(name)}"`).join(", ");
  const scales = costs.columns.map((cost) => scaleOf(cost, column, role));
  const paid = summed(costs.paid.map((each, at) => each.map((value) => scales[at]! * value)));
  const isMoney = role !== "return" && role !== "growth";
  const sizes = isMoney || role === "growth" ? stepSizes(column, role) : column.values;
  const [cost, size] = [usual(paid), usual(sizes)];
  if (cost > COST_MAX * size || cost < size / COST_SHARE_MIN) {
    const [one, other] = [cost, size].map((value) => Number(value.toPrecision(2)));
    const text =
      `${names} is usually ${one} where "${shortened(column.name)}" is ${other}: is it in it already, or something else? Leave ` +
      "it out; if it isn't, send returns after costs";
    const nameOf = columnNames(columns);
    throw question(
      "leaveOut",
      text,
      costs.columns.map((each) => ({ value: nameOf(each), text: "it is paid already" })),
    );
  }
  const message =
    `${names} was taken off "${shortened(column.name)}", which isn't said to be after costs; if it is, leave out ` +
    `${names} (leave_out)`;
  warnings.push({ code: "costs_taken_off", message });
  return { columns: costs.columns, paid: [paid] };
}

/** Costs this many times as large as what is judged, or as small, are in another unit. */
const [COST_MAX, COST_SHARE_MIN] = [20, 500];

const usual = (values: Float64Array) => median(values.filter((each) => each !== 0).map(Math.abs));

function stepSizes({ values }: RoledColumn, role: Role): Float64Array {
  if (role === "profit") return values;
  return values.map((value, row) => value - (values[row - 1] ?? value));
}

/** What a cost is multiplied by to be in the unit of the column beside it. */
function scaleOf(cost: RoledColumn, column: RoledColumn, role: Role): number {
  if (role !== "return" && role !== "growth") return 1;
  const isPercent = role === "return" && column.read.isPercent && !column.hasPercentSigns;
  const own = /bps?\b/i.test(cost.name)
    ? 1e-4
    : cost.read.isPercent && !cost.hasPercentSigns
      ? 0.01
      : 1;
  return own === 1 ? 1 : own * (isPercent ? 100 : 1);
}
