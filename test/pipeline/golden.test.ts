import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { loadBoard } from "../../pipeline/board.ts";
import { openSource } from "../../pipeline/sources/open-source.ts";
import { MANIFEST_FILE } from "../../snapshots/manifest.ts";
import { TABLES } from "../../snapshots/tables/tables.ts";
import { runSmall } from "../support/snapshot-market.ts";
import { textOfParquet } from "../support/snapshot-text.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * A tiny made-up market, with everything that can happen to prices, goes in. The whole snapshot comes out
 * and is compared file by file. `make golden` rewrites the files; the diff is reviewed.
 */
const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const GOLDEN = fileURLToPath(new URL("../golden/snapshot", import.meta.url));
const WRITES = process.env["HINDSIGHT_GOLDEN"] === "write";
const NOW_MS = Date.UTC(2026, 10, 21, 3, 15);

const root = temporaryFolder("golden");
let dir = "";

beforeAll(async () => {
  const board = loadBoard(join(FIXTURES, "golden-board.json"));
  const now = () => NOW_MS;
  const source = await openSource(`csv:${join(FIXTURES, "golden-prices")}`, { board, now });
  ({ dir } = await runSmall(root, { source, board, nowMs: NOW_MS }));
});

/** The golden text of that name, rewritten first when `make golden` asks for it. */
function golden(name: string, text: string): string[] {
  const path = join(GOLDEN, name);
  if (WRITES) {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(path, text);
  }
  return readFileSync(path, "utf8").split("\n");
}

describe("the snapshot of the golden market", () => {
  test.each(TABLES.map(({ name }) => name))("has the same table %s", async (name) => {
    const text = await textOfParquet(join(dir, `${name}.parquet`));
    expect(text.split("\n")).toEqual(golden(`${name}.csv`, text));
  });

  test("has the same manifest, except for sizes and checksums", () => {
    const manifest = JSON.parse(readFileSync(join(dir, MANIFEST_FILE), "utf8")) as {
      id: string;
      files: { name: string; rows: number | null }[];
    };
    const files = manifest.files.map(({ name, rows }) => ({ name, rows }));
    const id = manifest.id.replace(/[0-9a-f]{12}$/, "<content hash>");
    const text = `${JSON.stringify({ ...manifest, id, files }, null, 2)}\n`;
    expect(text.split("\n")).toEqual(golden(MANIFEST_FILE, text));
  });

  test("has no other golden files", () => {
    const expected = [...TABLES.map(({ name }) => `${name}.csv`), MANIFEST_FILE].sort();
    expect(readdirSync(GOLDEN).sort()).toEqual(expected);
  });
});
