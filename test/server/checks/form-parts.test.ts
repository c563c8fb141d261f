import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isForm, recordsOfForm } from "../../../server/checks/form-parts.ts";

/**
 * Forms as clients sent them to a server that wrote them down, each with the files backtest.csv and live.csv. The
 * browsers' files have a quote and an accent in their names, those of .NET an accent.
 */
const RECORDED = JSON.parse(readFileSync("test/fixtures/recorded-forms.json", "utf8")) as Readonly<
  Record<string, { readonly type: string; readonly body: string }>
>;
const contentOf = (name: string) => `date,ré\r\n2024-01-01,${name}\r\n`;

const PART = (name: string, text: string) =>
  `--BB\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const WHOLE = `${PART("backtest", "a")}${PART("live", "b")}--BB--\r\n`;
const read = (body: string, type = "multipart/form-data; boundary=BB") => {
  const { backtest, live } = recordsOfForm(Buffer.from(body), type);
  return [backtest, live].map(({ bytes }) => Buffer.from(bytes).toString());
};

describe("a recorded form", () => {
  test.each(Object.entries(RECORDED))("of %s is read to the byte", (_, { type, body }) => {
    expect(isForm(type)).toBe(true);
    expect(read(body, type)).toEqual([contentOf("backtest"), contentOf("live")]);
  });

  test.each(Object.entries(RECORDED))(
    "of %s is refused wherever it was cut",
    (_, { type, body }) => {
      const bytes = Buffer.from(body);
      const whole = bytes.lastIndexOf("--");
      for (let length = 0; length < whole + 2; length += length < whole - 60 ? 7 : 1) {
        expect(() => recordsOfForm(bytes.subarray(0, length), type), `${length}`).toThrow(
          /is not complete: it ends inside the part|has no line|no name/,
        );
      }
    },
  );

  test("has the names of its files", () => {
    const namesOf = (client: string) => {
      const [, { type, body } = { type: "", body: "" }] =
        Object.entries(RECORDED).find(([name]) => name.startsWith(client)) ?? [];
      return recordsOfForm(Buffer.from(body), type).backtest.fileName;
    };
    expect(["curl", ".NET", "Firefox", "Go"].map(namesOf)).toEqual([
      "backtest.csv",
      "backtest é.csv",
      "backtest é%221.csv",
      "backtest.csv",
    ]);
  });
});

describe("the content type of a form", () => {
  test.each([
    'multipart/form-data; boundary="BB"',
    "multipart/form-data; charset=utf-8; boundary=BB",
    "multipart/form-data; boundary=BB; charset=utf-8",
    "Multipart/Form-Data; Boundary=BB",
    'multipart/form-data;x="a;boundary=C" ; boundary="B\\B"',
  ])("%s is legal", (type) => {
    const body = type.includes("\\") ? WHOLE.replaceAll("--BB", "--B\\B") : WHOLE;
    const legal = type.replace("B\\B", "B\\\\B");
    expect(isForm(legal)).toBe(true);
    expect(read(body, legal)).toEqual(["a", "b"]);
  });

  test.each([
    "multipart/form-data",
    "multipart/form-data; charset=utf-8",
    'multipart/form-data; boundary=""',
  ])("%s names no boundary", (type) => {
    expect(isForm(type)).toBe(true);
    expect(() => read(WHOLE, type)).toThrow("names no boundary");
  });
});

describe("a form", () => {
  test.each([
    ["a preamble and an epilogue", `before\r\n${WHOLE}after\r\n--BB`],
    ["blanks behind its delimiters", WHOLE.replaceAll("--BB\r", "--BB \t\r")],
    ["no line break at its end", WHOLE.trimEnd()],
    [
      "heads in capitals, folded",
      WHOLE.replaceAll("Disposition: form-data;", "DISPOSITION:FORM-DATA;\r\n "),
    ],
    ["names without quotes", WHOLE.replaceAll(/name="(\w+)"/g, "Name=$1")],
  ])("may have %s", (_, body) => {
    expect(read(body)).toEqual(["a", "b"]);
  });

  test("ends a part at a whole line alone", () => {
    const text = "x--BB\r\n--BBB\r\n--BB-\r\n-- BB--\r\n";
    expect(read(WHOLE.replace("\r\na\r\n", `\r\n${text}\r\n`))[0]).toBe(text);
  });

  test.each([
    [
      "ends inside the part",
      'the form is not complete: it ends inside the part "live"',
      WHOLE.replace("--BB--", ""),
    ],
    [
      "has one part",
      'no part "live": send a backtest alone as the body itself',
      WHOLE.replace(PART("live", "b"), ""),
    ],
    ["has the other part", 'no part "backtest"', WHOLE.replace(PART("backtest", "a"), "")],
    ["has a part twice", 'the part "live" twice', WHOLE.replace("backtest", "live")],
    ["has a third part", 'got "more"', PART("more", "c") + WHOLE],
    [
      "has a part without a name",
      "a part of the form has no name",
      WHOLE.replace(' name="live"', ""),
    ],
    ["has lines without CR", "lines of a form end in CR LF", WHOLE.replaceAll("\r", "")],
    ["has another boundary", 'no line "--BB"', WHOLE.replaceAll("BB", "CC")],
    ["is empty", 'no line "--BB"', ""],
  ])("that %s is refused in those words", (_, words, body) => {
    expect(() => read(body)).toThrow(words);
  });

  test("of 8,000 parts, or with a head without an end, is refused at once", () => {
    const startedMs = performance.now();
    expect(() => read(Array.from({ length: 8000 }, (_, n) => PART(`${n}`, "")).join(""))).toThrow(
      'got "0"',
    );
    const endless = `--BB\r\nContent-Disposition: form-data; ${';a="'.repeat(2_000_000)}`;
    expect(() => read(endless)).toThrow("no line");
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});
