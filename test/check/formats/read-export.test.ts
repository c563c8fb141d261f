import { strToU8, zipSync } from "fflate";
import { makeData, makeVector, Null, Table, tableFromArrays, tableToIPC } from "apache-arrow";
import { describe, expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { FORMAT_NAMES, readExport } from "../../../check/formats/read-export.ts";
import { codesOf, csvOf, panelOf, readText, smallReturn, utf8 } from "./files.ts";

const RETURNS = csvOf("date,v1,v2", (row) => `${smallReturn(row)},${-smallReturn(row)}`);
const LEVELS = csvOf("date,x", (row) => String(100 + row + smallReturn(row)));

describe("a generic table", () => {
  test("is of returns or of equity by its level or by its names", async () => {
    expect((await readText(RETURNS)).kind).toBe("returns");
    expect((await readText(LEVELS)).kind).toBe("equity");
    const named = csvOf("date,daily_return", (row) => String(100 * smallReturn(row)));
    await expect(readText(named)).rejects.toThrow("is that 1.3 % or 130 %?");
    const percents = (await readText(named, { unit: "percent" })).rows!.columns[0]!;
    expect(percents[0]).toBeCloseTo(smallReturn(0), 15);
    const doubtful = csvOf("date,x", (row) => String(row === 3 ? -1 : 100 + row));
    await expect(readText(doubtful)).rejects.toThrow(MoreNeeded);
    expect((await readText(doubtful, { format: "returns" })).kind).toBe("returns");
  });

  test("has the same numbers in every encoding, delimiter and way to write them", async () => {
    const plain = await panelOf(RETURNS);
    const german = RETURNS.replaceAll(",", ";").replaceAll(".", ",");
    expect((await panelOf(german)).columns).toEqual(plain.columns);
    const wider = await panelOf(RETURNS.replaceAll(/$(?=\n)/gm, ",,"));
    expect([wider.columns, wider.filledBars]).toEqual([plain.columns, 0]);
    const thousands = csvOf("date,x", (row) => (row === 9 ? "998,5" : "1.003")).replace(/,/g, ";");
    expect((await readText(thousands.replace("998;5", "998,5"))).rows!.columns[0]![0]).toBe(1003);
    const tabs = RETURNS.replaceAll(",", "\t").replaceAll("\n", "\r\n");
    expect((await panelOf(`\uFEFF${tabs}`)).columns).toEqual(plain.columns);
    const utf16 = Uint16Array.from(`\uFEFF${RETURNS}`, (c) => c.charCodeAt(0));
    const read = await readExport(new Uint8Array(utf16.buffer));
    expect(read.rows!.columns).toEqual((await readText(RETURNS)).rows!.columns);
    const percent = csvOf("date,a", (row) => `${100 * smallReturn(row)} %`);
    const fractions = (await panelOf(percent)).columns[0]!;
    for (const [row, value] of fractions.entries()) expect(value).toBeCloseTo(smallReturn(row), 15);
  });

  test("in Windows-1252 keeps its names", async () => {
    const text = csvOf("date,Vergn\u00FCgen", (row) => String(smallReturn(row)));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect((await readExport(bytes)).rows!.names).toEqual(["Vergn\u00FCgen"]);
  });

  test.each([
    ["31.12.2023 and on", (day: number) => `${day}.01.2024`],
    ["12/31/2023", (day: number) => `01/${day}/2024`],
    ["31/12/2023", (day: number) => `${day}/01/2024`],
    ["31-Dec-23", (day: number) => `${day}-Jan-24`],
    ["31 December 2023", (day: number) => `${day} January 2024`],
    ["Dec 31, 2023", (day: number) => `"Jan ${day}, 2024"`],
    ["20231231", (day: number) => `202401${String(day).padStart(2, "0")}`],
    ["2023/12/31", (day: number) => `2024/01/${day}`],
    ["milliseconds", (day: number) => String(Date.UTC(2024, 0, day))],
    ["nanoseconds", (day: number) => `${Date.UTC(2024, 0, day)}000000`],
  ])("dates as %s", async (_, write) => {
    const days = Array.from({ length: 31 }, (_, row) => `${write(row + 1)},${smallReturn(row)}`);
    const panel = await panelOf(["date,a", ...days].join("\n"));
    expect(panel.instants[0]).toBe(Date.UTC(2024, 0, 1) / 1000);
    expect(panel.instants.at(-1)).toBe(Date.UTC(2024, 0, 31) / 1000);
  });

  test("may have no header", async () => {
    const plain = await panelOf(RETURNS);
    const bare = RETURNS.slice(RETURNS.indexOf("\n") + 1);
    await expect(readText(bare)).rejects.toThrow("which column is your strategy?");
    const named = await panelOf(bare, { format: "returns" });
    expect(named.names).toEqual(["1", "2"]);
    expect(named.columns).toEqual(plain.columns);
  });

  test("bars between cells, and bars in the names of variants", async () => {
    const plain = await panelOf(RETURNS);
    expect((await panelOf(RETURNS.replaceAll(",", "|"))).columns).toEqual(plain.columns);
    expect((await panelOf(RETURNS.replace("v1,v2", "5|10|x,5|20|x"))).names[0]).toBe("5|10|x");
  });

  test("days without a value are no levels of parameters", async () => {
    const holed = csvOf("date,a", (row) => (row === 4 ? "" : String(smallReturn(row))));
    const read = await readText(holed);
    expect([read.format, read.rows!.instants.length]).toEqual(["returns", 20]);
  });

  test("row numbers before the dates, as to_csv writes them, are left out", async () => {
    const plain = await panelOf(RETURNS);
    const [header, ...days] = RETURNS.trimEnd().split("\n");
    const numbered = [`,${header!}`, ...days.map((line, row) => `${row},${line}`)].join("\n");
    expect((await panelOf(numbered)).columns).toEqual(plain.columns);
    const dropped = numbered.replace(/\n0,.*/, "");
    expect((await readText(dropped)).rows!.instants).toHaveLength(days.length - 1);
    expect((await readText(numbered, { format: "returns" })).rows!.names).toEqual(["v1", "v2"]);
    const curve = csvOf("index,Equity,DrawdownPct,DrawdownDuration", (row) => `${100 + row},0,`);
    const [names, ...rows] = curve.trimEnd().split("\n");
    const reset = [`,${names!}`, ...rows.map((line, row) => `${row},${line}`)].join("\n");
    expect((await readText(reset)).format).toBe("backtesting-equity");
  });

  test("names of variants may hold commas between semicolons", async () => {
    const german = RETURNS.replaceAll(",", ";").replaceAll(".", ",");
    const named = german.replace("v1;v2", "n1=4,n2=20;n1=4,n2=30");
    expect((await readText(named)).rows!.names).toEqual(["n1=4,n2=20", "n1=4,n2=30"]);
  });

  test("drawdowns, cumulative returns and a curve that never moves are not taken for returns", async () => {
    const falls = csvOf("date,0", (row) => String(-Math.abs(smallReturn(row))));
    await expect(readText(falls)).rejects.toThrow("is this a curve of drawdowns?");
    expect((await readText(falls, { format: "returns" })).kind).toBe("returns");
    const cumulative = csvOf("date,0", (row) => String(row / 500 - 0.001));
    expect(codesOf((await readText(cumulative)).warnings)).toEqual(["smooth_returns"]);
    const both = csvOf("date,v1,v2", (row) => `${smallReturn(row)},${row / 500 - 0.001}`, 100);
    await expect(readText(both)).rejects.toThrow('of "v2", unlike of others');
    expect((await readText(RETURNS)).warnings).toEqual([]);
    const longer = csvOf("date,0", (row) => String(row / 500 - 0.001 + smallReturn(row) / 10), 200);
    await expect(readText(longer)).rejects.toThrow("as in cumulative returns");
    expect((await readText(longer, { format: "returns" })).warnings).toEqual([]);
    const perf = csvOf("date,algorithm_period_return", (row) => String(row / 50), 200);
    await expect(readText(perf)).rejects.toThrow("as in cumulative returns");
    const flat = await panelOf(csvOf("date,0", () => "0.0"));
    expect(flat.columns).toHaveLength(0);
  });

  test("may be Arrow or a zip", async () => {
    const days = Array.from({ length: 20 }, (_, row) => new Date(Date.UTC(2024, 0, row + 1)));
    const a = Float64Array.from({ length: 20 }, (_, row) => smallReturn(row));
    const arrow = tableToIPC(tableFromArrays({ date: days, a }), "file");
    expect((await readExport(arrow)).rows!.columns[0]).toEqual(a);
    const zipped = await readExport(zipSync({ "x.csv": utf8(RETURNS) }));
    expect(zipped.rows!.names).toEqual(["v1", "v2"]);
  });
});

describe("a table of one statistic a trial", () => {
  test.each([
    ["n1,n2,Sharpe Ratio", "5,30,0.5\n5,40,1.5\n", "backtesting.py", [0.5, 1.5]],
    ["fast,slow,sharpe_ratio", "5,30,0.5\n5,40,1.5\n", "vectorbt", [0.5, 1.5]],
    ["fast,Sharpe Ratio,Sortino Ratio", "5,0.5,1\n6,1.5,2\n", "vectorbt", [0.5, 1.5]],
    ["n1,n2,SQN", "5,30,0.5\n5,40,1.5\n", "backtesting.py", [NaN, NaN]],
    ["n1,n2,Return [%]", "5,30,12\n5,40,14\n", "backtesting.py", [NaN, NaN]],
    ["n1,# Trades", "5,12\n6,14\n", "backtesting.py", [NaN, NaN]],
    ["n1,n2,Exposure Time [%]", "5,30,12\n5,40,14\n", "backtesting.py", [NaN, NaN]],
    ["n1,n2,0", "5,30,1.5\n5,40,2.5\n", "backtesting.py", [NaN, NaN]],
    ["sharpe_ratio,max_drawdown,fast", "0.5,-9,5\n1.5,-8,6\n", "generic", [0.5, 1.5]],
    ["fast,Sharpe (ann.),runs", "5,inf,3\n6,1.5,4\n7,,5\n", "vectorbt", [NaN, 1.5, NaN]],
    ["fast,omega_ratio", "5,1.5\n6,1.2\n", "vectorbt", [NaN, NaN]],
  ])("%s counts the trials", async (header, rows, tool, values) => {
    const read = await readText(`${header}\n${rows}`);
    expect([read.kind, read.tool]).toEqual(["statistics", tool]);
    expect([...read.statistics!.values]).toEqual(values);
  });
});

describe("what people and programs put around a table", () => {
  const rows = "2024-01-01,1,100\n2024-01-02,2,101\n2024-01-03,3,99\n";
  const ended = rows.replaceAll("\n", ",\n");

  test.each([
    ["a title", `My strategy\ndate,cash,equity\n${rows}`],
    ["settings", `Symbol,BTC\n# made by a bot\n\ndate,cash,equity\n${rows}`],
    ["no name above the first column, as R writes it", `"cash","equity"\n${rows}`],
    ["a delimiter at the end of each row", `date,cash,equity\n${ended}`],
  ])("%s", async (_, text) => {
    const { names, columns } = (await readText(text)).rows!;
    expect(names).toEqual(["equity"]);
    expect([...columns[0]!]).toEqual([100, 101, 99]);
  });
});

describe("refusals say where and what", () => {
  test.each([
    ["an empty file", "", "the file is empty"],
    ["a header alone", "date,a\n", "a header and no rows"],
    [
      "a short line",
      "date,v1,v2\n2024-01-01,1,2\n2024-01-02,1\n",
      "line 3 has 2 cells, where the header has 3",
    ],
    [
      "a word for a number",
      RETURNS.replace(/(2023-01-05),[^,]*/, "$1,oops"),
      'line 5, column "v1": "oops" is not',
    ],
    [
      "a word for a date",
      RETURNS.replace("2023-01-06", "Friday"),
      'line 6, column "date": "Friday" is not a date',
    ],
    ["a number beyond all", RETURNS.replace(/(2023-01-05),[^,]*/, "$1,1e400"), '"1e400" is not'],
    ["an open quote", 'date,a\n"2024-01-01,1\n', "line 2: a quoted cell is never closed"],
    ["two columns of one name", RETURNS.replace("v1,v2", "v1,v1"), 'two columns are called "v1"'],
    ["an unknown table", "x,y\n1,2\n3,4\n", 'the columns "x", "y" is of no known tool'],
    [
      "an ambiguous comma",
      "date;a\n2024-01-01;1,234\n2024-01-02;1,235\n",
      "may be a decimal comma or thousands",
    ],
    [
      "an ambiguous point",
      "date;a\n2024-01-01;998\n2024-01-02;1.003\n",
      "may be a decimal point or thousands",
    ],
    [
      "both marks",
      "date;a\n2024-01-01;0,1\n2024-01-02;0.2\n",
      "a decimal comma and others a decimal point",
    ],
    [
      "day or month",
      "date,a\n01/02/2024,0.1\n02/02/2024,0.1\n",
      "may be 1 February 2024 or 2 January 2024",
    ],
    ["a page for a name", `date,${"x".repeat(1001)}\n2024-01-01,1\n`, "a name has 1001 characters"],
    ["a title alone", "My strategy\n2024-01-01,1\n", "if line 1 is a title, remove it"],
    ["a cut last line", "date,a\n2024-01-01,1\n2024-01-", "line 3 has 1 cells"],
    ["tables of other widths", "a,b\n1,2\na,b,c\n1,2,3\n1,2\n", "line 3 has 3 cells"],
    ["a long form", "date,name,a\n2024-01-01,x,1\n2024-01-01,y,1\n", "a column of each name"],
    ["half a JSON", '{"strategy": {"a": ', "not complete JSON"],
    ["another JSON", '{"a": 1, "b": 2}', "(its members are a, b) is of no known tool"],
    ["another XML", "<note><to>you</to></note>", "the only HTML and XML that are read"],
  ])("%s", async (_, text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });

  test.each([
    ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], "save the sheet as CSV"],
    ["a pickle", [0x80, 4, 1, 2], "never loaded"],
    ["gzip", [0x1f, 0x8b, 8, 0], "unpack the gzip file first"],
    ["zero bytes", [65, 0, 66, 0, 67], "neither a text nor"],
    ["UTF-32", [0xff, 0xfe, 0, 0, 65, 0, 0, 0], "UTF-32 is not read"],
    ["a cut zip", [0x50, 0x4b, 3, 4, 0, 0], "the zip is damaged"],
    ["a cut Parquet file", [...utf8("PAR1xxxxPAR1")], "the Parquet file can't be read"],
    ["a cut Arrow file", [...utf8("ARROW1"), 0, 0, 1], "the Arrow file can't be read"],
  ])("%s", async (_, bytes, message) => {
    await expect(readExport(Uint8Array.from(bytes))).rejects.toThrow(message);
  });

  test("an unknown format names those there are", async () => {
    await expect(readText(RETURNS, { format: "x" })).rejects.toThrow(FORMAT_NAMES.join(", "));
    const other = readText(RETURNS, { format: "tradingview" });
    await expect(other).rejects.toThrow('not of the format "tradingview"');
  });

  test("damaged zips, zip bombs, zips of many files and zips in zips", async () => {
    const whole = zipSync({ "a.csv": utf8(csvOf("date,a", String)) });
    for (const lost of [1, 9, 30, 46]) {
      const torn = Uint8Array.from([...whole.subarray(0, 60), ...whole.subarray(60 + lost)]);
      await expect(readExport(torn)).rejects.toThrow("the zip is damaged");
    }
    const stored = zipSync({ "a.csv": utf8(csvOf("date,a", String)) }, { level: 0 });
    stored[100]! ^= 1; // a digit
    await expect(readExport(stored)).rejects.toThrow('"a.csv" is not what was packed');
    const listed = whole.lastIndexOf(0x4b) - 1 - 51; // its only entry, of 51 bytes, is before the end's mark
    const beyond = whole.with(listed + 28, 0xff).with(listed + 29, 0xff); // the length of its name
    await expect(readExport(beyond)).rejects.toThrow("the zip is damaged");
    const bomb = zipSync({ "a.csv": new Uint8Array(50e6) }, { level: 9 });
    await expect(readExport(bomb)).rejects.toThrow("over 200 times its size");
    const names = Array.from({ length: 101 }, (_, n) => String(n));
    const many = zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])));
    await expect(readExport(many)).rejects.toThrow("more than 100 files");
    const nested = zipSync({ "a.zip": zipSync({ "b.csv": strToU8("x") }) });
    await expect(readExport(nested)).rejects.toThrow("a zip within a zip");
  });

  test("a hundred thousand columns, and millions of cells without a byte", async () => {
    const none = makeVector(makeData({ type: new Null(), length: 3e6 }));
    const file = readExport(tableToIPC(new Table({ none }), "file"));
    await expect(file).rejects.toThrow("no export has so many");
    const wide = `date${",a".repeat(1e5)}\n`;
    await expect(readText(wide + wide)).rejects.toThrow("more than 10001 cells");
  });
});

test("a line for Excel, columns that are no variants, currencies and losses in brackets", async () => {
  const cells = (row: number) => `${row + 9};"12.345,${row + 10} €";(1,5 %)`;
  const table = csvOf("date;close;equity;position", cells).replaceAll(
    /^(\d{4}-\d\d-\d\d),/gm,
    "$1;",
  );
  const { rows, columns } = await readText(`sep=;\n${table}`);
  expect([rows!.names, rows!.columns[0]![3], rows!.lines[0]]).toEqual([["equity"], 12_345.13, 3]);
  expect(columns!.map(({ use }) => use)).toEqual(["dates", "market", "judged", "left_out"]);
  const only = await readText(table, { column: "position", format: "returns" });
  expect(only.rows!.columns[0]![0]).toBe(-0.015);
});

test("quoted cells hold delimiters, quotes and line breaks", async () => {
  const quoted = RETURNS.replace("date,v1,v2", '"date","x, ""y""\nz 1","x, ""y""\nz 2"').replace(
    /(2023-01-03),/,
    '"$1",',
  );
  const { rows } = await readText(quoted);
  expect(rows!.names).toEqual(['x, "y"\nz 1', 'x, "y"\nz 2']);
  expect(rows!.lines[0]).toBe(4);
});

test("a zone turns times of day into UTC, but no midnight", async () => {
  const at = (time: string) =>
    csvOf("date,a", (row) => `${smallReturn(row)}`).replace(/^(2023-01-\d\d)/gm, `$1 ${time}`);
  const late = await readText(at("22:30"), { timezone: "America/New_York" });
  expect(late.rows!.instants[0]).toBe(Date.UTC(2023, 0, 3, 3, 30) / 1000);
  const midnight = await readText(at("00:00"), { timezone: "America/New_York" });
  expect(midnight.rows!.instants[0]).toBe(Date.UTC(2023, 0, 2) / 1000);
  await expect(readText(at("22:30"), { timezone: "Mars" })).rejects.toThrow('no time zone "Mars"');
});
