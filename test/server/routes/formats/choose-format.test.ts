import { describe, expect, test } from "vitest";
import { chooseFormat, varyLine } from "../../../../server/routes/formats/choose-format.ts";
import type { AnswerFormat } from "../../../../server/routes/formats/format.ts";
import { json } from "../../../../server/routes/formats/json.ts";

const csv: AnswerFormat = { ...json, name: "csv", mediaType: "text/csv" };
const FORMATS = [json, csv];
const chosen = (query: string, accept = "") => {
  const { format, query: rest } = chooseFormat(query, accept, FORMATS);
  return [format.name, rest];
};

describe("the format of an answer", () => {
  test.each([
    ["coin=btc", "", "json", "coin=btc"],
    ["format=csv", "", "csv", ""],
    ["coin=btc&format=csv&date=2024-01-01", "", "csv", "coin=btc&date=2024-01-01"],
    ["format=json&coin=btc", "text/csv", "json", "coin=btc"],
    ["coin=btc", "text/csv", "csv", "coin=btc"],
    ["", "text/html, TEXT/CSV;q=0.9, */*;q=0.1", "csv", ""],
    ["", "application/json, text/csv", "json", ""],
    ["", "text/csv;q=0, */*", "json", ""],
    ["", "image/png", "json", ""],
    ["", "*/*", "json", ""],
  ])("of %j with Accept %j is %s", (query, accept, name, rest) => {
    expect(chosen(query, accept)).toEqual([name, rest]);
  });

  test("is refused if there is none of that name, or two are named", () => {
    expect(() => chosen("format=xml")).toThrow(
      'parameter "format" must be "json" or "csv", got "xml"',
    );
    expect(() => chosen("format=csv&format=csv")).toThrow("more than once");
  });

  test("is no parameter as long as there is only one", () => {
    const { format, query } = chooseFormat("format=json", "text/csv", [json]);
    expect([format, query]).toEqual([json, "format=json"]);
    expect(varyLine([json])).toBe("\r\nVary: Accept-Encoding");
    expect(varyLine(FORMATS)).toBe("\r\nVary: Accept, Accept-Encoding");
  });
});
