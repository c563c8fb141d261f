import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flagName } from "../../check/command-line.ts";
import { CHECK_OPTIONS, ofLiveFile, READ_NAMES } from "../../check/options.ts";
import { checkCommand } from "../../cli/check.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import { check } from "../../server/routes/check.ts";

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
const NAMES = Object.keys(CHECK_OPTIONS);

test.each([...NAMES, ...READ_NAMES.map(ofLiveFile)])(
  "%s is an option of the command and a parameter, and the docs name it",
  (name) => {
    expect(checkCommand().options.map(({ long }) => long)).toContain(flagName(name));
    expect(Object.keys(check.query.shape)).toContain(snakeCase(name));
    expect(DOCS).toContain(`\`${snakeCase(name)}\``);
  },
);

test.each(NAMES)("%s has a row of the parameters", (name) => {
  expect(DOCS).toMatch(new RegExp(`^\\| \`${snakeCase(name)}\` `, "m"));
});
