import { COLUMNS, OWN, keyOf, placesIn } from "./csv-layouts.ts";
import type { Column, Layout, Places } from "./csv-layouts.ts";
import { boundedRaw } from "../price-rules/raw-row.ts";

const HEADER_QUOTED_MAX = 80;
const CELL_QUOTED_MAX = 40;
const NAMES_LISTED_MAX = 12;

/** Other names of our columns. A file with them is not read; its error suggests renaming them. */
const OTHER_NAMES: Readonly<Record<Column, readonly string[]>> = {
  date: ["day", "opentime", "unix", "unixtimestamp", "datum", "fecha", "data"],
  open: ["o", "openprice", "openusd", "priceopen", "eröffn", "apertura", "ouverture"],
  high: ["h", "highprice", "highusd", "pricehigh", "max", "hoch", "máximo", "plushaut"],
  low: ["l", "lowprice", "lowusd", "pricelow", "min", "tief", "mínimo", "plusbas"],
  close: ["c", "price", "last", "closeprice", "closeusd", "priceclose", "zuletzt", "cierre"],
  volume: ["v", "vol", "volumecoin", "basevolume", "volumebase", "volumen"],
};

/** What is wrong with a header, and how to mend it. */
export interface HeaderAdvice {
  readonly why: string;
  /** Where the columns are once the names are mended, so that the rows can be checked as well. */
  readonly mended?: Places;
}

/** A sentence about a header of no known layout, with everything that has to be changed. */
export function headerAdvice(header: string, cells: readonly string[]): HeaderAdvice {
  const expected = `expected the header ${COLUMNS.join(",")} in any order`;
  if (header.startsWith("\u001F"))
    return { why: `${expected}, and the file is compressed: unpack it` };
  if (header.includes("\u0000")) return { why: `${expected}, and the file is not UTF-8 text` };
  const got = `${expected} or that of a known provider, got ${quoted(header, HEADER_QUOTED_MAX)}`;
  if (header.includes("\r")) return { why: `${got}: its lines end in CR alone` };
  if (/^[\d"'][\d\s.:;,/TZ"'+-]*$/.test(header)) {
    return { why: `${got}: the file has no header, it begins with a row` };
  }
  const { changes, mended } = mendOf(cells);
  if (changes.length === 0) return { why: got };
  return { why: `${got}: ${changes.join("; ")}`, ...(mended && { mended }) };
}

/** What to change in a header's names; nothing if fewer than three are those of prices. */
function mendOf(cells: readonly string[]): { changes: string[]; mended?: Places } {
  const names = cells.map(keyOf);
  const own = placesIn(OWN, names);
  const others = placesIn({ ...OWN, names: OTHER_NAMES }, names);
  const placeOf = (column: Column) => (own[column] === -1 ? others[column] : own[column]);
  const found = COLUMNS.filter((column) => placeOf(column) !== -1);
  if (found.length < 3) return { changes: [] };
  const used = found.map(placeOf);
  const renames = found
    .filter((column) => own[column] === -1)
    .map((column) => `${quoted(cells[placeOf(column)]!)} to "${column}"`); // it was found
  const more = cells.filter((_, at) => !used.includes(at)).map((name) => quoted(name));
  const missing = COLUMNS.filter((column) => !found.includes(column)).map((name) => `"${name}"`);
  const changes = Object.entries({ rename: renames, drop: more, add: missing })
    .filter(([, items]) => items.length > 0)
    .map(([verb, items]) => `${verb} ${listed(items)}`);
  if (found.length < COLUMNS.length) return { changes };
  return {
    changes,
    mended: { ...own, ...Object.fromEntries(found.map((column) => [column, placeOf(column)])) },
  };
}

/** What is wrong with a file whose layout is known. */
export function layoutAdvice({ provider }: Layout, why: string): string {
  return `a file of ${provider}: ${why}`;
}

/** What is wrong with a row of another number of cells. */
export function cellCountAdvice(cells: readonly string[], expected: number): string {
  return cells.length === 0
    ? "a quote is not closed, or followed by more than the separator"
    : `expected ${expected} cells, as in the header, got ${cells.length}`;
}

export function dateAdvice(cell: string, isDate: boolean): string {
  const got = `got ${quoted(cell)}`;
  if (isDate) return `"date": expected days that begin at midnight UTC, one row each, ${got}`;
  const either = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/.test(cell)
    ? ": day or month may come first, and no date of the file tells"
    : "";
  return `"date": expected a UTC day such as 2024-12-31, ${got}${either}`;
}

export function numberAdvice(column: Column, cell: string): string {
  return `"${column}": expected a plain number such as 1234.5, got ${quoted(cell)}`;
}

/** Text from a file in quotes, on one line and not too long. */
export function quoted(text: string, lengthMax: number = CELL_QUOTED_MAX): string {
  return JSON.stringify(boundedRaw(text, lengthMax));
}

export function quotedList(names: readonly string[]): string {
  return listed(names.map((name) => quoted(name)));
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, NAMES_LISTED_MAX);
  const more = items.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
