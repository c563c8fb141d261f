import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { isDate } from "../../files/times.ts";
import { columnsOf, type TradeTable } from "./trade-columns.ts";

/**
 * From one row to the next, the price of one asset moves by more than this logarithm times the root of the days between in
 * at most this share of the steps, and never tenfold within a day.
 */
const [STEP, ODD_SHARE, JUMP] = [0.3, 0.1, Math.log(10)];
/** A column that names what was traded repeats its names: at least this share of the rows has one before it. */
const STEPS_SHARE = 1 / 3;
/** Names of columns whose one value is an asset, and not a kind, a segment or an exchange. */
const ASSET = /^(symbol|ticker|pair|asset|coin)$/i;

/** Two rows, one after the other, with prices that are not of one asset. */
interface PriceJump {
  readonly rows: readonly [number, number];
  readonly isTenfold: boolean;
}

/**
 * The table with one column that names what was traded: the first called so that is not the same in every row, unless
 * prices go together by another column only, which `byValue` names. `jump` is where no column tells several assets apart.
 */
export function withAsset(
  found: TradeTable,
  times: Float64Array,
  prices: Float64Array,
  variants: readonly number[],
): {
  readonly found: TradeTable;
  readonly jump?: PriceJump | undefined;
  readonly byValue?: string;
} {
  const { header, rows } = found.table;
  const cells = (index: number) => rows.map((row) => row[index]?.trim() ?? "");
  const count = (index: number) => new Set(cells(index)).size;
  const named = columnsOf(found, "symbol").map(({ index }) => index);
  const best = named.find((index) => count(index) > 1) ?? named[0] ?? -1;
  const others = found.columns.filter(({ role }) => role !== "symbol");
  const by = (index: number) => ({
    ...found,
    columns: [...others, ...(index < 0 ? [] : [{ ...PLAIN, index }])],
  });
  const { odd, steps } = oddSteps(cells(best), times, prices);
  const isOdd = odd.length > ODD_SHARE * steps;
  if (isOdd) {
    const used = new Set([...variants, ...others.map(({ index }) => index)]);
    const fitting = [...header.keys()].filter((index) => {
      if (used.has(index) || cells(index).some((cell) => cell === "" || isDate(cell))) return false;
      const oddOnes = oddSteps(cells(index), times, prices);
      return (
        oddOnes.steps >= STEPS_SHARE * rows.length &&
        oddOnes.odd.length <= ODD_SHARE * oddOnes.steps
      );
    });
    const [index] = fitting.toSorted((a, b) => count(a) - count(b));
    if (index !== undefined)
      return { found: by(index), ...(named.includes(index) ? {} : { byValue: header[index]! }) };
  }
  const tenfold = odd.find(({ isTenfold }) => isTenfold);
  const isOne = tenfold === undefined && (!isOdd || ASSET.test(header[best] ?? ""));
  const isTold = isOne || (best >= 0 && count(best) > 1);
  return { found: by(best), jump: isTold ? undefined : (tenfold ?? odd[0]) };
}

const PLAIN = {
  role: "symbol",
  phase: undefined,
  profitIs: undefined,
  isBare: false,
  isTurned: false,
  rank: 0,
} as const;

/** How many steps prices of the same name make, and those that are too large for one asset. */
function oddSteps(names: readonly string[], times: Float64Array, prices: Float64Array) {
  const last = new Map<string, number>();
  const odd: PriceJump[] = [];
  let steps = 0;
  for (const row of [...times.keys()].toSorted((a, b) => times[a]! - times[b]!)) {
    const before = last.get(names[row]!);
    if (!(prices[row]! > 0)) continue;
    last.set(names[row]!, row);
    if (before === undefined) continue;
    steps++;
    const days = Math.max(1, (times[row]! - times[before]!) / DAY_SECONDS);
    const move = Math.abs(Math.log(prices[row]! / prices[before]!));
    const isTenfold = days <= 1 && move >= JUMP;
    if (move > STEP * Math.sqrt(days)) odd.push({ rows: [before, row], isTenfold });
  }
  return { odd, steps };
}
