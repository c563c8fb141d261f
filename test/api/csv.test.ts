import { expect, test } from "vitest";
import { cellsOf } from "../../api/cells.ts";
import { csvOf } from "../../api/csv.ts";
import { int, number, numbersByName, object, text } from "../../api/members.ts";
import { record, rowRecord } from "../../api/record.ts";
import { columnsOf, tableOf } from "../../api/table.ts";
import { ENDPOINTS } from "../../server/routes/endpoints.ts";

const Parts = record<{ pbo: number }>()({ pbo: number.orNull("", ({ pbo }) => pbo) });
const Month = record<{ month: string; value: number; parts?: { pbo: number }; params: object }>()({
  month: text("", ({ month }) => month),
  value: number.orNull("", ({ value }) => value),
  parts: object(Parts).orNull("", ({ parts }) => parts),
  params: numbersByName("", ({ params }) => params as Readonly<Record<string, number>>),
});

const csvOfMonths = (...months: Parameters<typeof Month.from>[0][]) =>
  csvOf(
    tableOf(
      "months",
      Month,
      months.map((month) => Month.from(month)),
    ),
  );

test("rows are RFC 4180 text with a header, members of members have columns of their own", () => {
  const text = csvOfMonths(
    { month: "2025-01", value: 1.5, parts: { pbo: 0.5 }, params: { fast: 10, slow: 50 } },
    { month: 'say "so", twice', value: Number.NaN, params: {} },
  );
  expect(text).toBe(
    "month,value,parts_pbo,params\r\n" +
      '2025-01,1.5,0.5,"{""fast"":10,""slow"":50}"\r\n' +
      '"say ""so"", twice",,,"{}"\r\n',
  );
});

test.each([
  ["=1+1", '"\'=1+1"'],
  ["+x", '"\'+x"'],
  ["-x", '"\'-x"'],
  ["@SUM(A1)", '"\'@SUM(A1)"'],
  ["\t=1", '"\'\t=1"'],
  ["\r=1", '"\'\r=1"'],
  ["-5", "-5"],
  ["+5.5e3", "+5.5e3"],
  ["a-b", "a-b"],
  ["", ""],
  ["two\nlines", '"two\nlines"'],
])("the text %j is the cell %j", (month, cell) => {
  const [, line = ""] = csvOfMonths({ month, value: 1, params: {} }).split(/\r\n(?=[^=])/);
  expect(line).toContain(`${cell},1,`);
});

test.each([0, -0, -1.5, 1e21, 1e-7, 123456789.123, 1 / 3])("%d has the digits of JSON", (value) => {
  const { value: written } = Month.from({ month: "a", value, params: {} });
  const text = csvOfMonths({ month: "a", value, params: {} });
  expect(text.split("\r\n")[1]!.split(",")[1]).toBe(JSON.stringify(written));
});

test("no two columns of a record have the same name", () => {
  for (const { data, path } of ENDPOINTS) {
    const names = columnsOf(data, { name: "", field: "", cell: (row) => row }).map(
      ({ name }) => name,
    );
    expect(new Set(names).size, `of ${path}`).toBe(names.length);
  }
});

test("a record of a row finds its columns, and misses one that is not there", () => {
  const Row = rowRecord()({ a: number.orNull("") });
  expect(Row.from(cellsOf({ a: null })).a).toBeNull();
  expect(() => Row.from(cellsOf({ b: 1 }))).toThrow('the row has no column "a"');
});

test("a member without a source needs a property of its name", () => {
  // @ts-expect-error there is no property "bearPower"
  const { members } = record<{ bullPower: number }>()({ bull_power: int(), bear_power: int() });
  expect(Object.keys(members)).toEqual(["bull_power", "bear_power"]);
});
