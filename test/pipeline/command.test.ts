import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { pipelineCommand } from "../../cli/pipeline.ts";
import { UNFINISHED_PREFIX } from "../../snapshots/folder.ts";
import { takeLock } from "../../snapshots/lock.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { runCommand } from "../support/command-line.ts";
import { refuse, startExchange } from "../support/exchange-server.ts";
import {
  memorySource,
  RUN_INSTANT_MS,
  runPrices,
  smallMarket,
} from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");
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
    ["an answer but yes or no", ["--source", "demo", "--keep-last-rows=1"], "yes, no"],
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

describe("hindsight pipeline that fails", () => {
  test("at an exchange that turns it away is exit 1: the command line is not at fault", async () => {
    const server = await startExchange();
    server.mischief = () => refuse(403);
    const at = ["--source", "exchange:binance", "--exchange-url", server.url];
    const code = await run("pipeline", ...at, "--out", folder());
    expect(err).toMatch(/^error: .*binance.*403.*\n$/);
    expect(code).toBe(1);
  });

  test("is one line, and with HINDSIGHT_DEBUG the stack before it", async () => {
    const root = folder();
    const lock = await takeLock(root);
    const args = ["pipeline", "--source", "demo", "--out", root];
    expect(await run(...args)).toBe(1);
    const line = err;
    expect(line).toMatch(/^error: another run is writing [^\n]*\n$/);
    vi.stubEnv("HINDSIGHT_DEBUG", "1");
    expect(await run(...args)).toBe(1);
    vi.unstubAllEnvs();
    lock.release();
    expect(err).toMatch(/^SnapshotError: .*\n {4}at /);
    expect(err.endsWith(line)).toBe(true);
  });
});

describe("a value of hindsight pipeline", () => {
  const yesterday = dateOfDay(Math.floor(Date.now() / 86_400_000) - 1);
  const parse = (long: string, value: string): unknown =>
    pipelineCommand().options.find((option) => option.long === long)!.parseArg!(value, undefined);

  test.each([
    ["--source", "demo"],
    ["--source", "exchange:kraken"],
    ["--source", "exchange:Kraken2"],
    ["--source", "csv:test"],
    ["--as-of", "2024-02-29"],
    ["--as-of", yesterday],
    ["--board", "package.json"],
  ])("%s %s is taken as it is", (long, value) => {
    expect(parse(long, value)).toBe(value);
  });

  test.each(["--index-draws", "--robustness-draws"])(
    "%s is none, or enough for a spread",
    (long) => {
      const draws = (value: string) => parse(long, value);
      expect(["0", "2", "200", "10000"].map(draws)).toEqual([0, 2, 200, 10_000]);
      for (const value of ["1", "10001", "-2", "2.5", "1e3", "many", ""])
        expect(() => draws(value)).toThrow("0 and whole numbers from 2 to 10000");
    },
  );
});

describe("hindsight snapshot", () => {
  test.each([["list"], ["verify"], ["verify", "all"], ["prune"]])(
    "%s of a folder that is not there makes none",
    async (...words) => {
      const absent = join(folder(), "absent");
      expect(await run("snapshot", ...words, "--snapshots", absent)).toBe(1);
      expect([out, err]).toEqual(["", `error: there is no folder "${absent}"\n`]);
      expect(existsSync(absent)).toBe(false);
    },
  );

  test("list and verify say so when nothing was published", async () => {
    const root = folder();
    expect(await run("snapshot", "list", "--snapshots", root)).toBe(0);
    expect(out).toBe(`no snapshot in "${root}"\n`);
    for (const words of [["verify"], ["verify", "all"]]) {
      expect(await run("snapshot", ...words, "--snapshots", root)).toBe(1);
      expect(err).toContain("no snapshot was published");
    }
  });

  test.each(["0", "-1", "1.5", "x", ""])("prune --keep %j is exit 2", async (keep) => {
    expect(await run("snapshot", "prune", "--keep", keep)).toBe(2);
    expect(err).toContain("whole numbers from 1");
  });
});

describe("a published snapshot", () => {
  test("is listed, verified, found damaged, and pruned", async () => {
    const root = folder();
    const older = await runPrices(root);
    const { dir, manifest } = await runPrices(root, {
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
    const prices = writable(join(dir, "prices.parquet"));
    const sizeOfPrices = statSync(prices).size;
    appendFileSync(prices, "x");
    expect(await run("snapshot", "verify", "all", ...at)).toBe(1);
    expect(out).toBe(`${older.manifest.id}: whole\n`);
    expect(err).toMatch(/: prices\.parquet has \d+ bytes, the manifest says \d+\n$/);
    expect(await run("snapshot", "verify", older.manifest.id, ...at, "--json")).toBe(0);
    expect(JSON.parse(out)).toEqual([{ id: older.manifest.id, problems: [] }]);
    const prune = async () => await run("snapshot", "prune", "--keep", "1", ...at);
    expect(await prune()).toBe(0);
    expect(out, "the only whole one stays").toBe("nothing to remove\n");
    truncateSync(prices, sizeOfPrices);
    expect(await prune()).toBe(0);
    expect(out).toBe(`removed ${older.manifest.id}\n`);
    expect(await run("snapshot", "prune", ...at, "--json")).toBe(0);
    expect(JSON.parse(out)).toEqual({ removed: [] });
  });

  test("is listed for people with its size, and a damaged one with what is wrong", async () => {
    const root = folder();
    const at = ["--snapshots", root];
    const older = await runPrices(root);
    const { manifest } = await runPrices(root, {
      nowMs: RUN_INSTANT_MS + 60_000,
      source: memorySource(smallMarket(261), { synthetic: true }),
    });
    const megabytes = manifest.files.reduce((total, file) => total + file.bytes / 1e6, 0);
    const lines = async () => {
      expect(await run("snapshot", "list", ...at)).toBe(0);
      return out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/));
    };
    expect(await lines()).toEqual([
      ["", "snapshot", "coins", "source", "size"],
      ["*", manifest.id, "2", "memory (synthetic)", `${megabytes.toFixed(1)} MB`],
      ["", older.manifest.id, "2", "memory", expect.stringMatching(/^\d\.\d MB$/)],
    ]);
    writeFileSync(writable(join(older.dir, "manifest.json")), "{");
    expect((await lines())[2]?.slice(0, 3)).toEqual([
      "",
      older.manifest.id,
      expect.stringMatching(/^damaged: /),
    ]);
    expect(await run("snapshot", "list", ...at, "--json")).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { id: manifest.id, synthetic: true, coins: 2 },
      { id: older.manifest.id, current: false, problem: expect.any(String) as string },
    ]);
  });

  test("is not pruned while it is among the newest; what a killed run left is", async () => {
    const root = folder();
    await runPrices(root);
    mkdirSync(join(root, `${UNFINISHED_PREFIX}left`));
    expect(await run("snapshot", "prune", "--snapshots", root)).toBe(0);
    expect([out, err]).toEqual(["nothing to remove\n", ""]);
    expect(readdirSync(root).filter((name) => name.startsWith(UNFINISHED_PREFIX))).toEqual([]);
  });
});
