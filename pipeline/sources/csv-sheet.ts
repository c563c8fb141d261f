import { headerAdvice, layoutAdvice, quotedList, type HeaderAdvice } from "./csv-advice.ts";
import { cellsOf } from "./csv-cells.ts";
import { COLUMNS, HEADERLESS, LAYOUTS, OWN } from "./csv-layouts.ts";
import { keyOf, placesIn, volumeOfPair } from "./csv-layouts.ts";
import type { Layout, Places } from "./csv-layouts.ts";

/** A row of a chart with dozens of indicators has some 1,000 characters; a much longer line isn't a row. */
export const LINE_LENGTH_MAX = 4000;
/** A title, and the lines of the longest header. */
export const HEAD_LINES = 5;

/** How the rows of a file are read. */
export interface Sheet {
  readonly layout: Layout;
  readonly places: Places;
  /** The volume is in dollars. */
  readonly dollars: boolean;
  readonly separator: string;
  /** Number of cells in a row. */
  readonly width: number;
  /** Line of the first row, from 1. */
  readonly firstLine: number;
}

/** An unknown header. */
interface NoSheet {
  readonly why: string;
  /** How the rows are read once the header is mended, if it can be. */
  readonly mended?: Sheet;
}

type Columns = Pick<Sheet, "layout" | "places" | "dollars">;

const TITLE_LENGTH_MAX = 200;
/** Control characters other than the tab, as in a file that is compressed or in UTF-16. */
const NO_TEXT = /[^\P{Cc}\t]/u;

/** How to read a file that begins with these lines. */
export function sheetOf(head: readonly string[], ticker: string): Sheet | NoSheet {
  const at = hasTitle(head) ? 1 : 0;
  const header = head[at] ?? "";
  const separator = separatorOf(header);
  const cells = cellsOf(header, separator);
  const form = { separator, width: cells.length };
  const bare = HEADERLESS.find(({ matches }) => matches(cells));
  if (bare !== undefined) return { ...form, ...bare, dollars: false, firstLine: at + 1 };
  const columns = columnsOf(header, cells, ticker);
  const firstLine = at + 2 + linesUnder(head.slice(at + 1));
  if (!("why" in columns)) return { ...form, ...columns, firstLine };
  const { why, mended } = columns;
  if (mended === undefined) return { why };
  return { why, mended: { ...form, layout: OWN, places: mended, dollars: false, firstLine } };
}

/** The columns of a header, or what is wrong with it. */
function columnsOf(
  header: string,
  cells: readonly string[],
  ticker: string,
): Columns | HeaderAdvice {
  const names = cells.map(keyOf);
  const layout = NO_TEXT.test(header)
    ? OWN
    : (LAYOUTS.find(({ matches }) => matches(names, header)) ?? OWN);
  const refused = (why: string) => ({ why: layoutAdvice(layout, why) });
  if (layout.refused !== undefined) return refused(layout.refused);
  let places = placesIn(layout, names);
  let dollars = layout.dollars === true;
  if (layout.volumes === true && places.volume === -1) {
    const volume = volumeOfPair(names, ticker);
    if (volume === undefined) {
      const volumes = cells.filter((_, at) => names[at]!.startsWith("volume")); // one name per cell
      return refused(
        `expected prices in dollars and the coin's volume, got ${quotedList(volumes)}`,
      );
    }
    places = { ...places, volume: volume.index };
    dollars = volume.dollars;
  }
  const used = Object.values(places);
  const missing = COLUMNS.filter((column) => places[column] === -1);
  const isRepeated = used.some((at) => names.includes(names[at]!, at + 1)); // -1 is in no header
  const more = names.some((name, at) => !used.includes(at) && name !== ""); // pandas' row numbers have no name
  if (layout === OWN && (missing.length > 0 || isRepeated || more || NO_TEXT.test(header))) {
    return headerAdvice(header, cells);
  }
  if (missing.length > 0) return refused(`${quotedList(missing)} missing`);
  if (isRepeated) return refused("a column is there twice: give each coin a file");
  return { layout, places, dollars };
}

/** Whether a line stands above the header: a single cell, such as an address, or Yahoo's tickers. */
function hasTitle([first = "", second]: readonly string[]): boolean {
  const isText = first.length <= TITLE_LENGTH_MAX && !NO_TEXT.test(first);
  if (second === undefined || second === "" || !isText) return false;
  const { name, isAlone } = startOf(first);
  return isAlone || (name === "ticker" && startOf(second).name === "price");
}

/** How many further lines Yahoo's header has: tickers, and the name of the dates. */
function linesUnder(below: readonly string[]): number {
  const rows = below.findIndex((line) => {
    const { name, isAlone } = startOf(line);
    return name !== "ticker" && !(isAlone && name.startsWith("date"));
  });
  return rows === -1 ? below.length : rows;
}

/** The name of a line's first cell, and whether all the others are empty. */
function startOf(line: string): { name: string; isAlone: boolean } {
  const [first = "", ...rest] = cellsOf(line, separatorOf(line));
  return { name: keyOf(first), isAlone: rest.every((cell) => cell === "") };
}

/** The separator that gives the most cells. */
function separatorOf(line: string): string {
  const parts = (separator: string) => line.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => (parts(each) > parts(best) ? each : best));
}
