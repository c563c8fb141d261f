import { readdirSync } from "node:fs";
import { expect, test, describe } from "vitest";
import { FORMATS, chooseForm, varyLine } from "../../../../server/requests/formats/formats.ts";
import { json } from "../../../../server/requests/formats/json.ts";

const FOLDER = new URL("../../../../server/requests/formats/", import.meta.url);
const SHARED = ["format.ts", "formats.ts"];

test("each file of a format is in the list, under the name of its file", () => {
  const files = readdirSync(FOLDER).filter((file) => !SHARED.includes(file));
  expect(files.sort()).toEqual(FORMATS.map(({ name }) => `${name}.ts`).sort());
});

test("the first format is JSON", () => {
  expect(FORMATS[0]?.name).toBe("json");
});

const chosen = (query: string, accept = "") => {
  const { format, query: rest } = chooseForm({ query, accept }, FORMATS);
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
    ["", "application/json;q=0.1, text/csv", "csv", ""],
    ["", "*/*, text/csv;q=0.9", "json", ""],
    ["", "application/json;q=0.5, */*, text/csv;q=0.501", "csv", ""],
    ["", "application/json;q=0.5, text/csv;q=0.5", "json", ""],
    ["", "text/csv;q=0.000", "json", ""],
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

  test("is apart from the members that are named, sorted and each once", () => {
    const form = (query: string) => chooseForm({ query, accept: "" }, FORMATS);
    expect(form("coin=btc&fields=b.c,a,b.c").fields).toEqual(["a", "b.c"]);
    expect(form("fields=a%2Cb%20c&coin=btc")).toMatchObject({
      fields: ["a", "b c"],
      query: "coin=btc",
    });
    expect(form("coin=fields=a").fields).toEqual([]);
    expect(() => form("fields=a&fields=b")).toThrow("more than once");
    const many = Array.from({ length: 51 }, (_, at) => `m${at}`);
    expect(form(`fields=${many.slice(1).join(",")}`).fields).toHaveLength(50);
    expect(() => form(`fields=${many.join(",")}`)).toThrow("up to 50 members, got 51");
  });

  test("is no parameter as long as there is only one", () => {
    const { format, query } = chooseForm({ query: "format=json", accept: "text/csv" }, [json]);
    expect([format, query]).toEqual([json, "format=json"]);
    expect(varyLine([json])).toBe("\r\nVary: Accept-Encoding");
    expect(varyLine(FORMATS)).toBe("\r\nVary: Accept, Accept-Encoding");
  });
});
