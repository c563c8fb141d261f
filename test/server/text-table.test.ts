import { expect, test } from "vitest";
import { TextTable } from "../../server/text-table.ts";

test("finds what was put at a text's place last, by the whole text", () => {
  const table = new TextTable<number>();
  const texts = Array.from({ length: 20_000 }, (_, index) => `coin=${index.toString(36)}&same`);
  for (const [index, text] of ["", "a", "b", ...texts].entries()) {
    table.set(text, index);
    expect(table.get(`${text} `.trim())).toBe(index);
  }
  expect(table.get("coin=nobody&same")).toBeUndefined();
  expect(texts.every((text, index) => [undefined, index + 3].includes(table.get(text)))).toBe(true);
});
