import { FileRefused } from "./refused.ts";
import { cellText } from "./column-table.ts";
import { CELLS_MAX, COLUMNS_MAX } from "./csv.ts";
import { columnPlace, sheetTable, type SheetRow, type NamedTable } from "./sheet-table.ts";
import { textOf } from "./text.ts";
import { eachTag } from "./xml-tags.ts";

/** What a style shows numbers as. Undefined for plain numbers. */
type Shown = "time" | "percent" | undefined;

/** What the cells of all sheets refer to. */
interface Shared {
  readonly strings: readonly string[];
  /** By the number of a style. */
  readonly shown: readonly Shown[];
  /** Days from the workbook's day 0 to 1970. */
  readonly epoch: number;
}

/** Day 0 is 1899-12-30, which makes dates from March 1900 on right, or 1904-01-01. */
const [EPOCH_1900, EPOCH_1904] = [25_569, 24_107];
/** The most characters in the cells of a sheet, which can all share one long text. */
const CHARACTERS_MAX = 200 * 1024 * 1024;

/** The visible sheets of an Excel workbook that hold anything, in the order of their tabs. Undefined for another zip. */
export function readXlsx(
  files: ReadonlyMap<string, Uint8Array>,
): readonly NamedTable[] | undefined {
  const names = [...files.keys()];
  const partLike = (pattern: RegExp) => {
    const bytes = files.get(names.find((name) => pattern.test(name)) ?? "");
    return bytes === undefined ? "" : textOf(bytes);
  };
  const workbook = partLike(/(^|[/\\])workbook\d*\.xml$/i);
  if (workbook === "") return undefined;
  const sheets: { readonly name: string; readonly id: string | undefined }[] = [];
  let epoch = EPOCH_1900;
  eachTag(workbook, ({ name, attribute }) => {
    if (name === "workbookPr" && /^(1|true)$/.test(attribute("date1904") ?? "")) epoch = EPOCH_1904;
    if (name === "sheet" && !/hidden/i.test(attribute("state") ?? ""))
      sheets.push({ name: attribute("name") ?? "", id: attribute("id") });
  });
  const targets = new Map<string | undefined, string>();
  eachTag(partLike(/(^|[/\\])workbook\d*\.xml\.rels$/i), ({ name, attribute }) => {
    if (name === "Relationship") targets.set(attribute("Id"), attribute("Target") ?? "");
  });
  const strings = stringsOf(partLike(/(^|[/\\])sharedStrings\d*\.xml$/i));
  const shared = { strings, shown: shownBy(partLike(/(^|[/\\])styles\d*\.xml$/i)), epoch };
  return sheets.flatMap(({ name, id }) => {
    const steps = (targets.get(id) ?? "").split(/[/\\]/).filter((step) => /[^.]/.test(step));
    const path = new RegExp(`(^|[/\\\\])${steps.map(literally).join("[/\\\\]")}$`, "i");
    const [rows, merged] = steps.length === 0 ? [[], []] : rowsOf(partLike(path), shared);
    const table = sheetTable(rows, merged);
    return table === undefined ? [] : [{ name, table, rows }];
  });
}

function literally(text: string): string {
  return text.replace(/[^\w-]/g, "\\$&");
}

/** The texts that cells refer to by place, without phonetic hints (`rPh`). */
function stringsOf(xml: string): string[] {
  const strings: string[] = [];
  let [string, isPhonetic] = ["", false];
  eachTag(xml, ({ name, text }) => {
    if (name === "si") string = "";
    else if (name.endsWith("rPh")) isPhonetic = name === "rPh";
    else if (name === "/t" && !isPhonetic) string += text;
    else if (name === "/si") strings.push(string);
  });
  return strings;
}

/** Numbers of formats that no file defines (ECMA-376, 18.8.30). 27 to 36 and 50 to 58 are dates in East Asia. */
const BUILT_IN = { percent: /^(9|10)$/, time: /^(1[4-9]|2[0-2789]|3[0-6]|45|47|5[0-8])$/ };

function shownBy(styles: string): Shown[] {
  const codes = new Map<string, string>();
  const shown: Shown[] = [];
  let isOfCells = false;
  eachTag(styles, ({ name, attribute }) => {
    const id = attribute("numFmtId") ?? "";
    if (name === "numFmt") codes.set(id, attribute("formatCode") ?? "");
    else if (name.endsWith("cellXfs")) isOfCells = name === "cellXfs";
    else if (name !== "xf" || !isOfCells) return;
    else if (BUILT_IN.time.test(id)) shown.push("time");
    else shown.push(BUILT_IN.percent.test(id) ? "percent" : shownAs(codes.get(id) ?? ""));
  });
  return shown;
}

/** What a format shows, whatever its quoted characters, blanks, colours, currencies and languages. `[h]` is a duration. */
function shownAs(code: string): Shown {
  const plain = code.replace(/"[^"]*"|\\.|[_*]./g, "");
  const letters = plain.replace(/\[[^\]]*\]|General/gi, "");
  if (/[dmyhs]/i.test(letters) && !/\[[hms]+\]/i.test(plain)) return "time";
  return letters.includes("%") ? "percent" : undefined;
}

/** The rows of a sheet that hold anything, and the areas that are merged into one cell. */
function rowsOf(xml: string, shared: Shared): [rows: SheetRow[], merged: string[]] {
  const rows: SheetRow[] = [];
  const merged: string[] = [];
  let [row, column, count, characters] = [0, -1, 0, 0];
  let cells: string[] = [];
  let cell = { type: "n", style: 0, value: "", isFormula: false };
  eachTag(xml, ({ name, attribute, text }) => {
    if (name === "row") {
      row = Number(attribute("r") ?? row + 1);
      [cells, column] = [[], -1];
    } else if (name === "c") {
      column = columnPlace(attribute("r")) ?? column + 1;
      const style = Number(attribute("s") ?? 0);
      cell = { type: attribute("t") ?? "n", style, value: "", isFormula: false };
    } else if (name === "f") cell.isFormula = true;
    else if (name === "/v" || name === "/t") cell.value += text;
    else if (name === "/c" && (cell.value !== "" || (cell.isFormula && cell.type !== "str"))) {
      cells[column] = writtenText(cell, shared);
      characters += cells[column]!.length;
      if (column >= COLUMNS_MAX || ++count > CELLS_MAX || characters > CHARACTERS_MAX)
        throw new FileRefused("the workbook has too many cells: no export has so many");
    } else if (name === "mergeCell") merged.push(attribute("ref") ?? "");
    else if (name === "/row" && cells.length > 0) rows.push({ number: row, cells });
  });
  return [rows, merged];
}

/** A cell as a CSV would have it: numbers with all digits, times as ISO 8601. */
function writtenText(
  { type, style, value }: { readonly type: string; readonly style: number; readonly value: string },
  { strings, shown, epoch }: Shared,
): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "0" ? "FALSE" : "TRUE";
  const number = Number(value);
  if (value === "") return "a formula without its result"; // openpyxl computes none
  if (type !== "n" || value.trim() === "" || !Number.isFinite(number))
    return value === "#N/A" ? "" : value;
  if (shown[style] === "percent") return `${Number((100 * number).toPrecision(15))}%`;
  if (shown[style] !== "time") return String(number);
  const text = cellText(new Date(1000 * Math.round(86_400 * (number - epoch))));
  return number >= 0 && number < 1 ? text.slice(-8) : text; // a time of day alone
}
