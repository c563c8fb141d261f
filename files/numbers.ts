import { FileRefused } from "./refused.ts";
import type { Table } from "./csv.ts";

/** What a table writes before the decimals of its numbers. */
export type DecimalMark = "." | ",";

/** Digits in groups of three. The mark between them may separate thousands, or a single one the decimals. */
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,]\d{3})+$/;
/** Thousands separated by commas. In India, higher groups have two digits. */
const COMMA_GROUPS = /^[-+]?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/;
const COMMA_DECIMAL = /^[-+]?\d*,\d+(e[-+]?\d+)?$/i;
const POINT_DECIMAL = /^[-+]?(\d+|\d{1,3}(,\d{2,3})*,\d{3})?\.\d*(e[-+]?\d+)?$/i;
const MIXED_COMMA = /^[-+]?\d{1,3}(\.\d{3})+,\d+$/;
/** Longer texts aren't numbers. */
const LENGTH_MAX = 64;
const EMPTY = /^(|nan|null|none|na|n\/a|-)$/i;
/** What stands between groups of digits: blanks (plain, no-break, narrow no-break, thin), and apostrophes in Switzerland. */
const BLANKS = /[ \u00A0\u202F\u2009'\u2019]/g;
const PERCENT = /\s*[%\uFE6A\uFF05]$/;
/** Signs of currencies, with letters before them as in `R$`, and codes. */
const CURRENCY =
  "[A-Z]{0,3}\\p{Sc}|USD[TC]?|BUSD|EURC?|GBP|CHF|JPY|AUD|CAD|NZD|CNY|CNH|INR|KRW|BRL|MXN|RUB|TRY|PLN|SEK|NOK|DKK|CZK|HUF|" +
  "ZAR|SGD|HKD|TWD|THB|IDR|ILS|BTC|ETH";
const CURRENCY_BEFORE = new RegExp(`^([-+]?)(?:${CURRENCY})\\s*(?=[-+.(\\d])`, "iu");
const CURRENCY_AFTER = new RegExp(`([\\d)])\\s*(?:${CURRENCY})$`, "iu");
/** Accountants write losses in brackets, with the currency inside or outside. A tuple of parameters has a blank after its comma. */
const LOSS = /^\((?!.*, )(.*\d.*)\)$/;

/** Most cells are written like this, and need no second look. */
const PLAIN = /^-?\d+(\.\d+)?(e-?\d+)?$/;

/** A cell without currency and blanks. Typographic minus signs become plain ones. */
function plainNumber(cell: string): string {
  return cell
    .trim()
    .replace(/[\u2212\u2013\uFF0D]/, "-")
    .replace(CURRENCY_BEFORE, "$1")
    .replace(CURRENCY_AFTER, "$1")
    .replace(LOSS, "-$1")
    .replace(CURRENCY_BEFORE, "$1")
    .replace(CURRENCY_AFTER, "$1")
    .replace(BLANKS, "");
}

type Evidence = "short" | "point" | "comma" | "point groups" | "comma groups";

/** What a cell says of the decimal mark, if anything. */
function evidenceOf(cell: string, delimiter: string): Evidence | undefined {
  if (cell.length > LENGTH_MAX) return undefined;
  if (!/[.,]/.test(cell)) return /^\d{1,3}$/.test(cell) ? "short" : undefined;
  if (PLAIN.test(cell)) return delimiter !== "," && GROUPED.test(cell) ? "point groups" : "point";
  const text = plainNumber(cell).replace(PERCENT, "");
  if (GROUPED.test(text) && text.includes(",")) return "comma groups";
  if (COMMA_DECIMAL.test(text) || MIXED_COMMA.test(text)) return "comma";
  return POINT_DECIMAL.test(text) ? "point" : undefined;
}

/**
 * The decimal mark of columns. Throws where some cells have a comma and others a point, where commas come only before
 * groups of three digits, and where a column has both `998` and `1.003` and no comma separates the cells.
 */
export function decimalMarkOf(
  columns: readonly (readonly string[])[],
  { delimiter }: Pick<Table, "delimiter">,
): DecimalMark {
  const first = columns.map((cells) => {
    const found: Partial<Record<Evidence, string>> = {};
    for (const cell of cells) {
      const evidence = evidenceOf(cell, delimiter);
      if (evidence !== undefined) found[evidence] ??= cell;
    }
    return found;
  });
  const has = (mark: Evidence) => first.some((found) => found[mark] !== undefined);
  if (has("comma") && has("point"))
    throw new FileRefused("some numbers have a decimal comma and others a decimal point");
  if (has("comma")) return ",";
  if (has("point")) return ".";
  const groups = first.find((found) => found["comma groups"])?.["comma groups"];
  if (groups !== undefined && delimiter !== ",") {
    throw new FileRefused(
      `"${groups}" may be a decimal comma or thousands: write a decimal point and no separators`,
    );
  }
  const thousand = first.find((found) => found.short && found["point groups"]);
  if (thousand !== undefined) {
    throw new FileRefused(
      `"${thousand["point groups"]}" may be a decimal point or thousands: write no separators of thousands, and commas between the cells`,
    );
  }
  return ".";
}

/** The number of a cell, NaN for an empty one, and undefined for any other text. Percents are divided by 100. */
export function numberOf(cell: string, mark: DecimalMark): number | undefined {
  if (cell.length > LENGTH_MAX && cell.trim().length > LENGTH_MAX) return undefined;
  const plain = mark === "." && PLAIN.test(cell) ? Number(cell) : NaN;
  if (Number.isFinite(plain)) return plain;
  if (EMPTY.test(cell.trim())) return NaN;
  let text = plainNumber(cell);
  const percent = PERCENT.test(text);
  if (percent) text = text.replace(PERCENT, "");
  if (mark === ",") text = text.replaceAll(".", "").replace(",", ".");
  else if (text.includes(",")) {
    if (!COMMA_GROUPS.test(text)) return undefined;
    text = text.replaceAll(",", "");
  }
  if (text === "" || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined; // 1e400
  return percent ? value / 100 : value;
}

const AMOUNT_LENGTH_MAX = 1000;
const WITH_UNIT = /^(.*[\d.)])\s*([a-z][a-z\d]{1,9})$/i;
/** ccxt writes a fee as an object. */
const WITH_COST = /cost\W+(-?[\d.]+(?:e-?\d+)?)(?:.*currency\W+(\w+))?/is;

/** A number and the unit that follows it, if one does: `0.5BTC`, `1.00 Lots`, `{cost: 0.1, currency: BNB}`. */
export function amountOf(
  cell: string,
  mark: DecimalMark,
): { readonly value: number; readonly unit: string } | undefined {
  const alone = numberOf(cell, mark);
  if (cell.length > AMOUNT_LENGTH_MAX) return undefined;
  const [, text = "", unit = ""] = WITH_UNIT.exec(cell.trim()) ?? WITH_COST.exec(cell) ?? [];
  if (alone !== undefined) return { value: alone, unit };
  const value = text === "" ? undefined : numberOf(text, mark);
  return value === undefined ? undefined : { value, unit };
}

/** The numbers of a column. A cell that isn't a number is refused with its line and column. */
export function numberColumn(table: Table, column: number, mark: DecimalMark): Float64Array {
  return Float64Array.from(table.rows, (row, index) => {
    const value = numberOf(row[column]!, mark);
    if (value !== undefined) return value;
    throw notANumber(table, index, column);
  });
}

export function notANumber({ rows, lines, header }: Table, row: number, column: number) {
  const [name, cell] = [header[column]!, rows[row]![column]!].map(shortened);
  return new FileRefused(`line ${lines[row]!}, column "${name!}": "${cell!}" is not a number`);
}

/** The beginning of a text, for a message. */
export function shortened(text: string): string {
  const plain = text.replace(/\s+/g, " ");
  return plain.length > 40 ? `${plain.slice(0, 40)}...` : plain;
}
