import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileRefused } from "../../files/refused.ts";
import { expect, test } from "vitest";
import { MoreNeeded } from "../../check/formats/export.ts";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { checkAside } from "../../cli/check-aside.ts";
import { TRADES_CSV } from "../support/check-files.ts";
import { runCommand } from "../support/command-line.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIMITS = { readSeconds: 60, seconds: 60, heapMb: 64, otherMb: 448 };
const partsOf = (text: string) =>
  Array.from(text, (_, at) => Buffer.from(text.slice(7 * at, 7 * at + 7)));
/** A length of -8 leads Arrow's reader back to it, again and again. */
const ENDLESS = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xf8, 0xff, 0xff, 0xff);

/** Neither is known by its name. */
const TWO_COLUMNS = `date,a,b
${Array.from({ length: 20 }, (_, day) => `2022-03-${day + 10},${100 + (day % 7)},${5000 - 90 * (day % 5)}`).join("\n")}`;

const aside = (backtest: readonly Uint8Array[], options: CheckFileOptions, limits = LIMITS) =>
  checkAside({ backtest, options, snapshots: "none" }, undefined, limits);

test("a file is checked as in this process, in whatever parts it comes", async () => {
  const options = { startingCapital: 1000 };
  const here = await checkFile(Buffer.from(TRADES_CSV), options);
  expect(await aside(partsOf(TRADES_CSV), options)).toEqual(here);
});

test("what is missing is asked for, and what is wrong is said", async () => {
  const asked = aside(partsOf(TRADES_CSV), {});
  await expect(asked).rejects.toThrow(MoreNeeded);
  await expect(asked).rejects.toMatchObject({ questions: [{ option: "startingCapital" }] });
  await expect(aside([], {})).rejects.toThrow("the file is empty");
  const columns = await checkFile(Buffer.from(TWO_COLUMNS), {}).catch((error: unknown) => error);
  expect(columns).toMatchObject({ table: { columns: [{ name: "a" }, { name: "b" }] } });
  await expect(aside(partsOf(TWO_COLUMNS), {})).rejects.toEqual(columns);
});

test.each([
  ["file_refused", "date,a\n2024-01-01,much\n", /"much" is not a number/],
  ["more_needed", TRADES_CSV, /\(--starting-capital\)$/],
])("with --json, %s is on standard output", async (code, text, message) => {
  const file = join(temporaryFolder("check-json"), "sent.csv");
  writeFileSync(file, text);
  const { code: exit, out } = await runCommand("check", file, "--json");
  const error = { code, message: expect.stringMatching(message) };
  expect([exit, JSON.parse(out)]).toEqual([2, { error }]);
});

test.each([
  ["memory", Buffer.from(`[${"{},".repeat(3_000_000)}{}]`), {}, "0.5 GiB of memory"],
  ["time", ENDLESS, { readSeconds: 1 }, "1 s to read"],
])("a file that takes too much %s is refused", async (_, bytes, limits, message) => {
  const read = aside([bytes], {}, { ...LIMITS, ...limits });
  await expect(read).rejects.toThrow(FileRefused);
  await expect(read).rejects.toThrow(`the file takes more than ${message}`);
});
