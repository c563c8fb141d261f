import { FileRefused } from "./refused.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const ROWS_MAX = 2_000_000;

/**
 * The rows of cells in an HTML page or in SpreadsheetML. Only tags are looked for. Nothing is run, and no entity can refer
 * to another.
 */
export function markupRows(text: string, row: string, cell: string): string[][] {
  const rows: string[][] = [];
  for (const part of parts(text, row)) {
    rows.push(parts(part, cell).map(plainText));
    if (rows.length > ROWS_MAX) throw new FileRefused("the file has too many rows");
  }
  return rows;
}

/** The content of every element of a name, in order. In these files, elements of one name don't nest. */
function parts(text: string, names: string): string[] {
  const found: string[] = [];
  const open = new RegExp(`<(?:${names})(?=[\\s>/])[^<>]*>`, "gi");
  const close = new RegExp(`</(?:${names})\\s*>`, "gi");
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    if (match[0].endsWith("/>")) {
      found.push("");
      continue;
    }
    close.lastIndex = open.lastIndex;
    const end = close.exec(text);
    if (end === null)
      throw new FileRefused(`the file is cut off within ${match[0].slice(0, 20)}: save it anew`);
    found.push(text.slice(open.lastIndex, end.index));
    open.lastIndex = close.lastIndex;
  }
  return found;
}

function plainText(markup: string): string {
  return decoded(markup.replace(/<[^<>]*>/g, "")).trim();
}

/** A text with its entities replaced. */
export function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#?\w+);/g, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
