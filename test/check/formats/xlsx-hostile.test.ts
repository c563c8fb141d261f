import { FileRefused } from "../../../files/refused.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { readExport } from "../../../check/formats/read-export.ts";
import { PanelRefused } from "../../../quant/check/panel.ts";
import { plainRows, sheetOf, workbookOf, type WorkbookParts } from "./workbooks.ts";

const workbook = (rows: readonly string[], after = "") => ({ sheets: { a: sheetOf(rows, after) } });
const repeated = (length: number, row: (number: number) => string) =>
  Array.from({ length }, (_, at) => row(at + 1));
const far = (row: number) => `<row r="${row}"><c r="MAA1"><v>1</v></c></row>`;
const wide = (row: number) => `<row r="${row}"><c r="A1"><v>1</v></c><c r="ZZ1"><v>1</v></c></row>`;
const MERGED = `<mergeCells>${'<mergeCell ref="A1:ZZ500"/>'.repeat(200)}</mergeCells>`;
const shared = repeated(300, () => '<row><c t="s"><v>0</v></c></row>');
const LONG_TEXT = `<sst><si><t>${"x".repeat(1e6)}</t></si></sst>`;

test.each<[string, WorkbookParts, string]>([
  ["no sheet with cells", workbook([]), "no sheet with cells"],
  [
    "a DOCTYPE",
    { sheets: { a: `<!DOCTYPE x [<!ENTITY a "b">]>${sheetOf([])}` } },
    "damaged or unusual",
  ],
  [
    "a tag that never ends",
    { sheets: { a: '<worksheet><sheetData><row r="1"' } },
    "damaged or unusual",
  ],
  ["columns without end", workbook(['<row><c r="XFD1"><v>1</v></c></row>']), "too many cells"],
  ["a cell far to the right in each of many rows", workbook(repeated(4000, far)), "too many cells"],
  ["merged areas without end", workbook(repeated(500, wide), MERGED), "too many cells"],
  ["one long text in each cell", { strings: LONG_TEXT, ...workbook(shared) }, "too many cells"],
])("a workbook of %s is refused at once", async (_, parts, message) => {
  await expect(readExport(workbookOf(parts))).rejects.toThrow(message);
});

const DAYS = Array.from({ length: 20 }, (_, at) => [at, `2024-01-${10 + (at % 20)}`, 100 + at]);
const STYLES = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>';

test("a workbook of which any characters changed is read or refused", async () => {
  const sheet = sheetOf(plainRows(DAYS), '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>');
  const edits = fc.array(
    fc.tuple(fc.nat(sheet.length - 1), fc.constantFrom(...Array.from(`<>/"'=&;19A `))),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const characters = Array.from(sheet);
      for (const [at, character] of changes) characters[at] = character;
      const file = workbookOf({ sheets: { a: characters.join("") }, styles: STYLES });
      const error: unknown = await readExport(file, { startingCapital: 1e4 }).catch(
        (e: unknown) => e,
      );
      const kinds = [FileRefused, MoreNeeded, PanelRefused];
      expect(!(error instanceof Error) || kinds.some((kind) => error instanceof kind)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
