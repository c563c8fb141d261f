import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Table } from "../../files/csv.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { unzip } from "../../files/unzip.ts";
import { readXlsx } from "../../files/xlsx.ts";
import { january } from "../check/formats/files.ts";
import { plainRows, sheetOf, workbookOf, type WorkbookParts } from "../check/formats/workbooks.ts";

const tablesOf = (parts: WorkbookParts) => readXlsx(unzip(workbookOf(parts), () => true))!;
const tableOf = (parts: Omit<WorkbookParts, "sheets">, sheet: string): Table =>
  tablesOf({ ...parts, sheets: { Sheet1: sheet } })[0]!.table;

/** Excel's numbers of 1 to 20 January 2024, and a curve. */
const CURVE = Array.from({ length: 20 }, (_, row) => [45_292 + row, 1000 + row / 8] as const);
const DATED =
  '<styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd;@"/><numFmt numFmtId="165" formatCode="[$-409]#,##0.00%"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>';
const EXPECTED = {
  header: ["Date", "Equity"],
  first: ["2024-01-01 00:00:00", "1000"],
  last: ["2024-01-20 00:00:00", "1002.375"],
};
const outer = ({ header, rows }: Table) => ({ header, first: rows[0], last: rows.at(-1) });

describe("a curve as programs write it", () => {
  const numbered = (prefix: string, header: string) =>
    sheetOf([
      header,
      ...CURVE.map(
        ([day, value], at) =>
          `<${prefix}row r="${at + 2}"><${prefix}c r="A${at + 2}" s="1"><${prefix}v>${day}</${prefix}v></${prefix}c><${prefix}c r="B${at + 2}"><${prefix}v>${value}</${prefix}v></${prefix}c></${prefix}row>`,
      ),
    ]);
  const withDays = (day: (at: number) => string) =>
    sheetOf([
      ...plainRows([["Date", "Equity"]]),
      ...CURVE.map(([, value], at) => `<row>${day(at)}<c><v>${value}</v></c></row>`),
    ]);
  const inPlace = (cells: string) => `<row r="1">${cells}</row>`;

  test.each<[string, Omit<WorkbookParts, "sheets">, string]>([
    [
      "Excel, Google Sheets, LibreOffice: texts of their own, in parts and with how they are read aloud",
      {
        strings:
          '<sst count="2"><si><t xml:space="preserve">Date</t><rPh sb="0" eb="1"><t>x</t></rPh></si><si><r><rPr><b/></rPr><t>Equ</t></r><r><t>ity</t></r></si></sst>',
      },
      numbered("", inPlace('<c r="A1" t="s"><v>0</v></c><c r="B1" s="3" t="s"><v>1</v></c>')),
    ],
    [
      "openpyxl: texts in place",
      {},
      numbered(
        "",
        inPlace(
          '<c r="A1" t="inlineStr"><is><t>Date</t></is></c><c r="B1" t="inlineStr"><is><t>Equity</t></is></c>',
        ),
      ),
    ],
    [
      "ClosedXML: a prefix before each name, texts of formulas",
      {},
      numbered(
        "x:",
        '<x:row r="1"><x:c r="A1" t="str"><x:f>"Da"&amp;"te"</x:f><x:v>Date</x:v></x:c><x:c r="B1" t="str"><x:v>Equity</x:v></x:c></x:row>',
      ),
    ],
    [
      "a program that leaves references out, with single quotes and a greater-than in one",
      {},
      sheetOf([
        "<row><c t='inlineStr' note='a>b'><is><t>Date</t></is></c><c t='inlineStr'><is><t>Equity</t></is></c></row>",
        ...CURVE.map(
          ([day, value]) => `<row><c s='1'><v>${day}</v></c><c><v>${value}</v></c></row>`,
        ),
      ]),
    ],
    [
      "strict Open XML: dates as texts",
      {},
      withDays((at) => `<c t="d"><v>${january()[at]!} 00:00:00</v></c>`),
    ],
    [
      "Excel for the Mac of old: days counted from 1904",
      {
        workbook:
          '<workbook><workbookPr date1904="1"/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
      withDays((at) => `<c s="1"><v>${CURVE[at]![0] - 1462}</v></c>`),
    ],
  ])("%s", (_, parts, sheet) => {
    expect(outer(tableOf({ styles: DATED, ...parts }, sheet))).toEqual(EXPECTED);
  });

  test("numbers keep their digits; percents, times of day, truths and errors are as a CSV has them", () => {
    const row = `<row><c s="3"><v>45083.45555555556</v></c><c><v>0.30000000000000004</v></c><c><v>1E-3</v></c><c s="2"><v>0.07</v></c><c s="3"><v>0.6875</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="e"><v>#DIV/0!</v></c><c><f>A1+1</f><v/></c><c t="str"><f>""</f><v/></c></row>`;
    const sheet = sheetOf([
      ...plainRows([["a", "b", "c", "d", "e", "f", "g", "h", "i", "two\n words"]]),
      row,
    ]);
    const { header, rows } = tableOf({ styles: DATED }, sheet);
    expect(header.at(-1)).toBe("two words");
    expect(rows[0]).toEqual([
      "2023-06-06 10:56:00",
      "0.30000000000000004",
      "0.001",
      "7%",
      "16:30:00",
      "TRUE",
      "",
      "#DIV/0!",
      "a formula without its result",
      "",
    ]);
  });

  test.each<[string, boolean]>([
    ["d/m/yy", true],
    ["[$-F400]h:mm:ss\\ AM/PM", true],
    ["[$-de-DE]dd. mmmm yyyy", true],
    ["yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;", true],
    ["[h]:mm", false],
    ["General", false],
    ["#,##0.00\\ &quot;USD&quot;", false],
    ["[Red]-#,##0.00_d", false],
    ["[$$-409]#,##0", false],
    ["0.00E+00", false],
  ])("a number of the format %s is a time: %s", (code, isTime) => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`;
    const sheet = sheetOf([
      ...plainRows([["a", "b"]]),
      '<row><c s="0"><v>45292</v></c><c s="0"><v>45293</v></c></row>',
    ]);
    expect(tableOf({ styles }, sheet).rows[0]![0]).toBe(isTime ? "2024-01-01 00:00:00" : "45292");
  });
});

test.each([
  [
    "pandas-grid.xlsx",
    ["fast", "5", "5", "10", "10"],
    ["2024-01-01 00:00:00", "-0.03125", "0.015625", "-0.015625", "0.03125"],
  ],
  ["xlsxwriter.xlsx", ["Date", "Equity"], ["2024-01-15 00:00:00", "1095.25"]],
  ["openpyxl-1904.xlsx", ["Day", "Balance", "Invested"], ["2024-01-15 00:00:00", "1095.25", "25%"]],
])("%s, as pandas and openpyxl wrote it", (file, header, row) => {
  const bytes = readFileSync(new URL(`../check/cases/kinds/${file}`, import.meta.url));
  const { table } = readXlsx(unzip(bytes, () => true))!.at(-1)!;
  expect(table.header).toEqual(header);
  expect(table.rows).toContainEqual(row);
});

describe("a workbook", () => {
  const header =
    "Trade #|Type|Date and time|Signal|Price USDT|Position size (qty)|Net P&amp;L USDT|Cumulative P&amp;L USDT|Cumulative P&amp;L %";
  const list = [
    header.split("|"),
    ...CURVE.slice(0, 10).flatMap((_, at) => {
      const sum = 25 * (at + 1);
      const both = [100, 1, 25, sum, sum / 100];
      return [
        [at + 1, "Exit long", `2024-01-${10 + at} 05:00:00`, "out", ...both],
        [at + 1, "Entry long", `2024-01-${10 + at} 00:00:00`, "in", ...both],
      ];
    }),
  ];
  const performance = [
    ["", "All USDT", "All %"],
    ["Net profit", 250, 2.5],
    ["Gross profit", 300, 3],
  ];

  test("empty and hidden sheets are none, and the order is that of the tabs", () => {
    const sheet = (name: string) =>
      sheetOf(
        plainRows([
          [name, "b"],
          [1, 2],
        ]),
      );
    const workbook =
      '<workbook><sheets><sheet name="C" r:id="rId3"/><sheet name="H" state="veryHidden" r:id="rId2"/><sheet name="E" r:id="rId4"/><sheet name="A &amp; B" r:id="rId1"/></sheets></workbook>';
    const relations =
      '<Relationships><Relationship Id="rId4" Target="/xl/worksheets/sheet4.xml"/><Relationship Id="rId1" Target="worksheets\\sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Target="./worksheets/Sheet3.xml"/></Relationships>';
    const sheets = { a: sheet("a"), b: sheet("b"), c: sheet("c"), e: sheetOf([]) };
    const found = tablesOf({ workbook, relations, sheets });
    expect(found.map(({ name, table }) => [name, table.header[0]])).toEqual([
      ["C", "c"],
      ["A & B", "a"],
    ]);
  });

  test("of TradingView is its list of trades, whichever sheet that is", async () => {
    const [p, l] = [sheetOf(plainRows(performance)), sheetOf(plainRows(list))];
    const rows = [
      ["name", "value"],
      ["Symbol", "BINANCE:BTCUSDT"],
      ["Initial capital", 10_000],
    ];
    const sheets = { Performance: p, "List of trades": l, Properties: sheetOf(plainRows(rows)) };
    const read = await readExport(workbookOf({ sheets }));
    expect(read.format).toBe("tradingview");
    expect(read.trades).toMatchObject({ capital: 10_000, trades: { length: 10 } });
    expect(read.warnings.at(-1)!.message).toBe(
      'the sheet "List of trades" was read, not Performance, Properties',
    );
    await expect(readExport(workbookOf({ sheets: { Performance: p } }))).rejects.toThrow(
      "performance summary",
    );
  });

  test("that asks before another sheet is read doesn't fall back to it", async () => {
    const dated = (name: string, cell: (at: number) => number) =>
      sheetOf(
        plainRows([["date", name], ...CURVE.map((_, at) => [`2024-01-${10 + at}`, cell(at)])]),
      );
    const asking = dated("x", (at) => (at === 3 ? -1 : 100 + at));
    const curve = dated("equity", (at) => CURVE[at]![1]);
    const first = readExport(workbookOf({ sheets: { asking, curve } }));
    await expect(first).rejects.toThrow("may be returns or");
    const { rows } = await readExport(workbookOf({ sheets: { curve, asking } }));
    expect(rows!.names).toEqual(["equity"]);
  });

  test("is no other zip with a list of types", () => {
    const files = unzip(zipSync({ "[Content_Types].xml": strToU8("<Types/>") }), () => true);
    expect(readXlsx(files)).toBeUndefined();
  });
});
