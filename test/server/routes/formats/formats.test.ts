import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { FORMATS } from "../../../../server/routes/formats/formats.ts";

const FOLDER = new URL("../../../../server/routes/formats/", import.meta.url);
const SHARED = ["choose-format.ts", "format.ts", "formats.ts", "write-answer.ts"];

test("each file of a format is in the list, under the name of its file", () => {
  const files = readdirSync(FOLDER).filter((file) => !SHARED.includes(file));
  expect(files.sort()).toEqual(FORMATS.map(({ name }) => `${name}.ts`).sort());
});

test("the first format is JSON", () => {
  expect(FORMATS[0]?.name).toBe("json");
});
