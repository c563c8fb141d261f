import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CredentialTable, TEXT_MAX } from "../../../../server/accounts/sqlite/credential-table.ts";

const LENGTH = 8;
const textOf = (index: number) => index.toString(36).padStart(LENGTH, "-");

test("finds each of many texts by all of its characters", () => {
  const table = new CredentialTable<number>(LENGTH);
  for (let index = 0; index < 20_000; index++) table.set(textOf(index), index);
  expect(table.size).toBe(20_000);
  for (let index = 0; index < 20_000; index++) expect(table.get(textOf(index))).toBe(index);
  for (let index = 20_000; index < 30_000; index++)
    expect(table.get(textOf(index))).toBeUndefined();
});

test("tells texts apart that end alike, and keeps the last value of each", () => {
  const table = new CredentialTable<string>(LENGTH);
  table.set("ab-same-", "first");
  table.set("ba-same-", "second");
  table.set("ab-same-", "third");
  expect([table.get("ab-same-"), table.get("ba-same-"), table.get("aa-same-")]).toEqual([
    "third",
    "second",
    undefined,
  ]);
  expect(table.size).toBe(2);
});

test("keeps no text of another length, and nothing once it is cleared", () => {
  const table = new CredentialTable<number>(LENGTH);
  for (const text of ["", "1234567", "123456789"]) {
    table.set(text, 1);
    expect(table.get(text)).toBeUndefined();
  }
  for (let index = 0; index < 1_000; index++) table.set(textOf(index), index);
  table.clear();
  expect([table.size, table.get(textOf(7))]).toEqual([0, undefined]);
});

test("holds what a Map holds, whatever the texts", () => {
  const texts = fc.string({ unit: "binary-ascii", minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, fc.nat()), { maxLength: 300 }), (entries) => {
      const table = new CredentialTable<number>(3);
      for (const [text, value] of entries) table.set(text, value);
      const map = new Map(entries);
      expect(table.size).toBe(map.size);
      for (const [text, value] of map) expect(table.get(text)).toBe(value);
    }),
  );
});

test("has room for the longest text in one line", () => {
  const table = new CredentialTable<number>(TEXT_MAX);
  const texts = ["a", "b", "c"].map((first) => first.padEnd(TEXT_MAX, "x"));
  for (const [index, text] of texts.entries()) table.set(text, index);
  expect(texts.map((text) => table.get(text))).toEqual([0, 1, 2]);
});
