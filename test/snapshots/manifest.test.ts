import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../quant/calendar.ts";
import { contentHashOf, decodeManifest, encodeManifest } from "../../snapshots/manifest.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";

const DAY = dayOfDate("2026-11-20")!;

const MANIFEST: Manifest = {
  formatVersion: 2,
  id: "2026-11-20T20261121T031500123Z-0123456789ab",
  asOf: DAY,
  createdAt: "2026-11-21T03:15:00.123Z",
  source: "csv",
  synthetic: false,
  coins: [
    {
      ticker: "btc",
      name: "Bitcoin",
      symbol: "BTC/USDT",
      earlier: [{ symbol: "XBT/USDT", until: DAY - 30, factor: 1000 }],
      firstDay: DAY - 99,
      lastDay: DAY,
      days: 100,
      stale: false,
      quality: {
        rowsRead: 101,
        accepted: 100,
        filled: 0,
        rejected: { high_below_low: 1 },
        rejectsUnlisted: 0,
        duplicatesDropped: 0,
        incompleteDropped: 0,
        afterAsOf: 0,
        restartedAt: DAY - 99,
        daysBeforeGapLeftOut: 3,
        carried: 0,
        withdrawn: 0,
        lateRows: 0,
        revisedDays: 1,
        unitChanges: [{ day: DAY - 29, factor: 0.001 }],
        revisions: [{ day: DAY - 1, column: "close", before: 1, after: 2 }],
        fault: null,
      },
    },
  ],
  leftOut: [{ ticker: "eth", name: "Ethereum", reason: "no file" }],
  parameters: { board_coins: 2, as_of_requested: null },
  versions: { apache_arrow: "21.2.0" },
  files: [{ name: "prices.parquet", bytes: 10, rows: 100, sha256: "ab" }],
};

describe("the manifest", () => {
  test("reads back as it was written", () => {
    expect(decodeManifest(encodeManifest(MANIFEST))).toEqual(MANIFEST);
  });

  test("is written in snake_case, with dates, and keeps keys that are data", () => {
    expect(JSON.parse(encodeManifest(MANIFEST))).toMatchObject({
      format_version: 2,
      as_of: "2026-11-20",
      left_out: [{ ticker: "eth" }],
      coins: [
        {
          first_day: "2026-08-13",
          earlier: [{ symbol: "XBT/USDT", until: "2026-10-21", factor: 1000 }],
          quality: {
            rejected: { high_below_low: 1 },
            restarted_at: "2026-08-13",
            unit_changes: [{ day: "2026-10-22", factor: 0.001 }],
            revisions: [{ day: "2026-11-19" }],
          },
        },
      ],
      parameters: { board_coins: 2 },
      versions: { apache_arrow: "21.2.0" },
    });
  });

  test.each([
    ["{", "not valid JSON"],
    ["", "not valid JSON"],
    ["null", "format version none"],
    ["[]", "format version none"],
    ['{"format_version": 5}', "format version 5, this program reads version 4"],
    ['{"format_version": 0}', "format version 0"],
    ['{"format_version": "1"}', 'format version "1"'],
  ])("is refused when it is %j", (text, why) => {
    expect(() => decodeManifest(text)).toThrow(SnapshotError);
    expect(() => decodeManifest(text)).toThrow(why);
  });
});

describe("contentHashOf", () => {
  const hash = contentHashOf(MANIFEST);

  test("does not depend on the run, the database or the order of files", () => {
    const files = [
      { name: "hindsight.duckdb", bytes: 1, rows: null, sha256: "cd" },
      ...MANIFEST.files,
    ];
    expect(contentHashOf({ ...MANIFEST, files })).toBe(hash);
  });

  test("is of the Parquet and the Arrow files together, in any order", () => {
    const file = (name: string, sha256: string) => ({ name, bytes: 1, rows: 1, sha256 });
    const [parquet, arrow] = [file("prices.parquet", "ab"), file("prices.arrow", "cd")];
    const hashOf = (...files: Manifest["files"]) => contentHashOf({ ...MANIFEST, files });
    expect(hashOf(arrow, parquet)).toBe(hashOf(parquet, arrow));
    expect(hashOf(parquet, file("prices.arrow", "ce"))).not.toBe(hashOf(parquet, arrow));
    expect(hashOf(parquet)).not.toBe(hashOf(parquet, arrow));
  });

  test.each([
    { asOf: DAY - 1 },
    { source: "demo" },
    { synthetic: true },
    { files: [{ ...MANIFEST.files[0]!, sha256: "ac" }] },
  ])("depends on %j", (change) => {
    expect(contentHashOf({ ...MANIFEST, ...change })).not.toBe(hash);
  });
});
