import { expect, test } from "vitest";
import { TextTable } from "../../server/text-table.ts";

test("finds what was put at a text's place twice, by the whole text", () => {
  const table = new TextTable<number>();
  const texts = Array.from({ length: 20_000 }, (_, index) => `coin=${index.toString(36)}&same`);
  for (const [index, text] of ["", "a", "b", ...texts].entries()) {
    table.set(text, index);
    table.set(text, index);
    expect(table.get(`${text} `.trim())).toBe(index);
  }
  expect(table.get("coin=nobody&same")).toBeUndefined();
  expect(texts.every((text, index) => [undefined, index + 3].includes(table.get(text)))).toBe(true);
});

test("keeps no text that comes once, nor lets it take the place of one that comes again", () => {
  const table = new TextTable<number>();
  for (let time = 0; time < 2; time++) table.set("again", 1);
  for (let index = 0; index < 100_000; index++) table.set(`once ${index}`, index);
  expect(table.get("again")).toBe(1);
  expect(table.get("once 99999")).toBeUndefined();
});
