const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Words for numbers that no price can be. They are read so that the price rules refuse them. */
const NOT_FINITE_PATTERN = /^(-?)(?:(nan)|inf(?:inity)?)$/i;
/** `$64,000.50`, `17.32K`: as pages print them. */
const PRINTED_PATTERN = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?([KMBT])?$/;
const EXPONENT_OF: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };

const ZERO = 48;
const POINT = 46;
const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** The cells of a row, as RFC 4180 quotes them; none where a quote is not closed. */
export function cellsOf(raw: string, separator: string): string[] {
  if (!raw.includes('"')) return raw.split(separator);
  const cells: string[] = [];
  let from = 0;
  while (from <= raw.length) {
    const isQuoted = raw[from] === '"';
    const end = isQuoted ? closingQuote(raw, from + 1) + 1 : raw.indexOf(separator, from);
    const stop = end === -1 ? raw.length : end;
    if (isQuoted && (end === 0 || (stop < raw.length && raw[stop] !== separator))) return [];
    const cell = raw.slice(from, stop);
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    from = stop + 1;
  }
  return cells;
}

/** Position of the quote that ends a cell, -1 where there is none. Two in a row stand for one. */
function closingQuote(raw: string, from: number): number {
  let at = raw.indexOf('"', from);
  while (at !== -1 && raw[at + 1] === '"') at = raw.indexOf('"', at + 2);
  return at;
}

/** The number in a cell, or undefined when it holds none: plain decimals, integers, exponents. */
export function numberOf(cell: string): number | undefined {
  const short = shortDecimalOf(cell);
  if (!Number.isNaN(short)) return short;
  if (NUMBER_PATTERN.test(cell)) return Number(cell);
  const word = NOT_FINITE_PATTERN.exec(cell);
  if (word === null) return undefined;
  if (word[2] !== undefined) return NaN;
  return word[1] === "-" ? -Infinity : Infinity;
}

/** The number in a cell of a layout that prints numbers for people. */
export function printedNumberOf(cell: string): number | undefined {
  const [, whole, decimals = "", unit = ""] = PRINTED_PATTERN.exec(cell) ?? [];
  if (whole === undefined) return numberOf(cell);
  return Number(`${whole.replaceAll(",", "")}${decimals}e${EXPONENT_OF[unit] ?? 0}`);
}

/**
 * The value of a plain decimal with at most 15 digits; NaN for anything else. Its digits are an integer
 * below 2^53 and the power of ten is at most 10^15. Both are exact in float64, so a single division rounds
 * correctly and gives the same result as `Number`. Source: W. D. Clinger, "How to Read Floating Point
 * Numbers Accurately" (1990).
 */
function shortDecimalOf(cell: string): number {
  if (cell.length > 16) return NaN;
  let digits = 0;
  let point = -1;
  for (let index = 0; index < cell.length; index++) {
    if (cell.charCodeAt(index) === POINT) {
      if (point !== -1) return NaN;
      point = index;
    } else digits = digits * 10 + digit(cell, index);
  }
  if (point === -1) return cell.length > 0 && cell.length < 16 ? digits : NaN;
  const decimals = cell.length - 1 - point;
  return point > 0 && decimals > 0 ? digits / POWERS_OF_TEN[decimals]! : NaN; // at most 14
}

/** The digit at a position, NaN for any other character. */
export function digit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= ZERO && code <= ZERO + 9 ? code - ZERO : NaN;
}
