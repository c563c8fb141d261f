import { FileRefused } from "../../../files/refused.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { readExport } from "../../../check/formats/read-export.ts";
import { checkAside } from "../../../cli/check-aside.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { PanelRefused } from "../../../quant/check/panel.ts";
import { EXPORTS_FOLDER } from "../../support/exports.ts";
import { csvOf, smallReturn, utf8 } from "./files.ts";

const CSV = utf8(csvOf("date,a,b", (row) => `${smallReturn(row)},"${-smallReturn(row)}"`));
const TRADES_TEXT =
  "Trade #,Type,Signal,Date/Time,Price USDT,Profit USDT,Profit %,Cum. Profit USDT,Cum. Profit %\n" +
  "1,Entry Long,a,2024-01-01,1,5,1,5,0.05\n1,Exit Long,b,2024-03-01,1,5,1,5,0.05\n";
const SMALL = [
  CSV,
  utf8(TRADES_TEXT),
  zipSync({ "a.csv": CSV }),
  utf8('{"strategy": {"a": {"trades": [NaN]}}}'),
];

/**
 * Real files, small enough to be cut many times. Those of columns are left to `scripts/faults/mutants.ts`: a damaged
 * one may take all the time and memory that it is given.
 */
function realFiles(): Uint8Array[] {
  if (!existsSync(EXPORTS_FOLDER)) return [];
  const paths = readdirSync(EXPORTS_FOLDER, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes("/") && !/^truth|\.(md|parquet)$/.test(path))
    .map((path) => join(EXPORTS_FOLDER, path));
  return paths.map((path) => readFileSync(path)).filter(({ length }) => length < 230_000);
}

/** Whether the bytes are read, or refused with an error that is meant for the sender. */
async function isAnswered(bytes: Uint8Array): Promise<boolean> {
  try {
    const { rows } = await readExport(bytes, { startingCapital: 10_000 });
    if (rows !== undefined) buildPanel(rows);
    return true;
  } catch (error) {
    const meant = [FileRefused, MoreNeeded, PanelRefused].some((kind) => error instanceof kind);
    if (!meant) throw error;
    return (error as Error).message.length < 800;
  }
}

const files = fc.constantFrom(...SMALL, ...realFiles());

describe("whatever bytes come, the answer is a panel or a refusal", () => {
  test("cut off at any byte", async () => {
    for (let end = 0; end < CSV.length; end += 7) {
      expect(await isAnswered(CSV.subarray(0, end))).toBe(true);
    }
    const cut = fc.tuple(files, fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(cut, async ([bytes, share]) => {
        expect(await isAnswered(bytes.slice(0, share * bytes.length))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("changed in some bytes", async () => {
    const changes = fc.array(fc.tuple(fc.nat(1e6), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, changes, async (bytes, edits) => {
        const changed = bytes.slice();
        for (const [at, value] of edits) changed[at % changed.length] = value;
        expect(await isAnswered(changed)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("of no file at all", async () => {
    const starts = ["", "PK\u0003\u0004", "{", "[", "<", "date,a\n2024-01-01,"];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 400 }),
        async (start, rest) => {
          expect(await isAnswered(Uint8Array.from([...utf8(start), ...rest]))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ["1 MB of an open string full of quotes", '["' + '\\"'.repeat(5e5)],
    ["1 MB of open brackets", "[".repeat(1e6)],
    ["1 MB of open rows", "<tr>".repeat(25e4)],
    ["1 MB of open quotes", '"'.repeat(1e6)],
    ["1 MB of line ends", "\n".repeat(1e6)],
    ["1 MB of backslashes", `{"a":"${"\\".repeat(1e6)}`],
    ["a cell of open brackets", `[{"date":"2024-01-01","a":${"[".repeat(1e5)}${"]".repeat(1e5)}}]`],
    ["a capital without a bound", TRADES_TEXT.replaceAll(",5", ",1e308")],
  ])("%s is answered at once", async (_, text) => {
    expect(await isAnswered(utf8(text))).toBe(true);
  });

  test("a Parquet file whose columns are not those of its schema ends no process", async () => {
    const base64 =
      "UEFSMRUAFWwVcCwVGBUAFQYVBhwAAAAfiwgAAAAAAAIDDcPJDQAgDASxhS9HSDhEU/TfDmPJWdJN5UmVjZ3GQWdwcnHz8AMN2uBJNgAAABUAFcwBFVgsFRgVABUGFQYcAAAAH4sIAAAAAAACA2NiYGCQYGQAgwX7GVDAAnsIPQEqPsGeXHUAq72kT2YAAAAVBBk8NQAYBnNjaGVtYRUEABUCJQIYBGRhdGUlDExsAAAAFQolAhgBYQAWGBkcGSwmABwVAhklBgAZGARkYXRlFQQWGBaSARaWASYISRwVABUAFQIAPCkGGSYAGAAAACYAHBUKGSUGABkYAWEVBBYYFvQBFoABJp4BSRwVABUAFQIAPCkGGSYAGAAAABaGAxYYJggWlgIAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAAMIAAABQQVIx";
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    const text = String.fromCharCode(...bytes);
    bytes[text.indexOf("\u0019\u0018\u0001a") + 3] = "b".charCodeAt(0); // the column's name in its group
    bytes[text.indexOf("\u001F\u008B")] = 0; // and the page of the column before it
    // In a process of its own, as always: hyparquet leaves a rejection that nobody awaits.
    const files = { backtest: [bytes], options: {}, snapshots: "none" };
    await expect(checkAside(files)).rejects.toThrow("the Parquet file can't be read");
  });
});
