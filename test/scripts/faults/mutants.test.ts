import { join } from "node:path";
import { expect, test } from "vitest";
import { mutantOf } from "../../../scripts/faults/mutate.ts";
import { runScript } from "../../../scripts/support/child-processes.ts";
import { EXPORTS_FOLDER } from "../../support/exports.ts";

const SCRIPT = join(process.cwd(), "dist/scripts/faults/mutants.js");

test("damaged files of every format are read, refused or ended at a limit", async () => {
  const said = await runScript(SCRIPT, ["--times", "400", "--processes", "1", "--seed", "test"]);
  const [read, refused] = /^all +(\d+) +(\d+)/m.exec(said)!.slice(1).map(Number);
  expect(Math.min(read!, refused!)).toBeGreaterThan(20);
});

test("a folder that isn't there is no run without defects", async () => {
  const none = join(EXPORTS_FOLDER, "none");
  await expect(runScript(SCRIPT, ["--times", "1", "--files", none])).rejects.toThrow("ENOENT");
});

test("a mutant is another file, the same for the same seed, and its original stays", () => {
  const bytes = Uint8Array.from({ length: 500 }, (_, at) => at % 251);
  const before = bytes.slice();
  const mutants = Array.from({ length: 60 }, (_, seed) => mutantOf(bytes, String(seed)));
  expect(mutants.filter((mutant) => Buffer.compare(mutant, bytes) === 0).length).toBeLessThan(6);
  expect(mutantOf(bytes, "7")).toEqual(mutants[7]);
  expect(bytes).toEqual(before);
});
