import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../quant/calendar.ts";
import { runCommand } from "../support/command-line.ts";
import {
  PRICES_ONLY,
  RUN_INSTANT_MS,
  runSmall,
  useSnapshotFolders,
} from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();
let out = "";
let err = "";

async function run(...args: string[]): Promise<number> {
  const outcome = await runCommand(...args);
  ({ out, err } = outcome);
  return outcome.code;
}

describe("hindsight pipeline with a wrong value", () => {
  const today = dateOfDay(Math.floor(Date.now() / 86_400_000));
  const wrong: [string, string[], string][] = [
    ["no source", [], "--source"],
    ["an unknown source", ["--source", "ftp:x"], "demo, csv:DIR and exchange:NAME"],
    ["a source without a folder", ["--source", "csv:"], "csv:DIR"],
    ["a folder that is not there", ["--source", "csv:/no/such"], 'There is no folder "/no/such"'],
    ["a file for a folder", ["--source", "csv:package.json"], "is not a folder"],
    ["an exchange without a name", ["--source", "exchange:"], "exchange:NAME"],
    ["a date that is none", ["--source", "demo", "--as-of", "2025-02-29"], "up to yesterday"],
    ["today", ["--source", "demo", "--as-of", today], "up to yesterday"],
    ["a board that is not there", ["--source", "demo", "--board", "/no"], 'no file "/no"'],
    [
      "an out that is a file",
      ["--source", "demo", "--out", "package.json"],
      "is a file, not a folder",
    ],
    ["an unknown option", ["--source", "demo", "--speed", "9"], "unknown option"],
    ["an argument", ["--source", "demo", "now"], "too many arguments"],
  ];

  test.each(wrong)("%s is exit 2, one line that says what is allowed", async (_, args, why) => {
    expect(await run("pipeline", ...args)).toBe(2);
    expect(err).toContain(why);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).not.toContain("    at ");
  });

  test.each([
    ["of another form", '[{"ticker": "BTC"}]', "entry 1"],
    ["that is not JSON", "[{\n'ticker'", "is not JSON"],
  ])("a board file %s is exit 2 and says what is wrong", async (_, text, why) => {
    const root = folder();
    const board = join(root, "board.json");
    writeFileSync(board, text);
    const out = join(root, "out");
    expect(await run("pipeline", "--source", "demo", "--board", board, "--out", out)).toBe(2);
    expect(err).toContain(why);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(root)).toEqual(["board.json"]);
  });
});

describe("hindsight snapshot", () => {
  test("list and verify say so when nothing was published", async () => {
    const root = folder();
    expect(await run("snapshot", "list", "--snapshots", root)).toBe(0);
    expect(out).toContain("no snapshot in");
    expect(await run("snapshot", "verify", "--snapshots", root)).toBe(1);
    expect(err).toContain("no snapshot was published");
    expect(await run("snapshot", "list", "--snapshots", join(root, "absent"))).toBe(1);
    expect(err).toContain("there is no folder");
  });

  test.each(["0", "-1", "1.5", "x", ""])("prune --keep %j is exit 2", async (keep) => {
    expect(await run("snapshot", "prune", "--keep", keep)).toBe(2);
    expect(err).toContain("whole numbers from 1");
  });
});

describe("a published snapshot", () => {
  test("is listed, verified, found damaged, and pruned", async () => {
    const root = folder();
    const older = await runSmall(root, { stages: PRICES_ONLY });
    const { dir, manifest } = await runSmall(root, {
      stages: PRICES_ONLY,
      nowMs: RUN_INSTANT_MS + 60_000,
    });
    const at = ["--snapshots", root];
    expect(await run("snapshot", "list", ...at, "--json")).toBe(0);
    const listed = JSON.parse(out) as { id: string; current: boolean; source: string }[];
    expect(listed.map(({ id, current }) => [id, current])).toEqual([
      [manifest.id, true],
      [older.manifest.id, false],
    ]);
    expect(await run("snapshot", "list", ...at)).toBe(0);
    expect(out).toContain(manifest.id);
    expect(await run("snapshot", "verify", ...at)).toBe(0);
    expect(out).toBe(`${manifest.id}: whole\n`);
    appendFileSync(join(dir, "prices.parquet"), "x");
    expect(await run("snapshot", "verify", "all", ...at)).toBe(1);
    expect(out).toBe(`${older.manifest.id}: whole\n`);
    expect(err).toMatch(/: prices\.parquet has \d+ bytes, the manifest says \d+\n$/);
    expect(await run("snapshot", "verify", older.manifest.id, ...at, "--json")).toBe(0);
    expect(JSON.parse(out)).toEqual([{ id: older.manifest.id, problems: [] }]);
    expect(await run("snapshot", "prune", "--keep", "1", ...at)).toBe(0);
    expect(out).toBe(`removed ${older.manifest.id}\n`);
    expect(await run("snapshot", "prune", ...at, "--json")).toBe(0);
    expect(JSON.parse(out)).toEqual({ removed: [] });
  });
});
