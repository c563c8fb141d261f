import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../quant/calendar.ts";
import { formatSnapshotId, parseSnapshotId } from "../../snapshots/snapshot-id.ts";

const PARTS = {
  asOf: dayOfDate("2026-11-20")!,
  instantMs: Date.UTC(2026, 10, 21, 3, 15, 0, 123),
  contentHash: "0123456789ab",
};

describe("a snapshot's id", () => {
  test("is day, instant and hash, and reads back", () => {
    expect(formatSnapshotId(PARTS)).toBe("2026-11-20T20261121T031500123Z-0123456789ab");
    expect(parseSnapshotId(formatSnapshotId(PARTS))).toEqual(PARTS);
  });

  test("sorts by name as by time, for one as_of", () => {
    const later = { ...PARTS, instantMs: PARTS.instantMs + 1 };
    expect(formatSnapshotId(later) > formatSnapshotId(PARTS)).toBe(true);
  });

  test.each([
    "",
    "CURRENT",
    ".unfinished-x",
    "../2026-11-20T20261121T031500123Z-0123456789ab",
    "2026-13-20T20261121T031500123Z-0123456789ab",
    "2026-11-20T20261321T031500123Z-0123456789ab",
    "2026-11-20T20261121T031500123Z-0123456789AB",
    "2026-11-20T20261121T031500123Z-0123456789ab\n",
  ])("is not %j", (name) => {
    expect(parseSnapshotId(name)).toBeUndefined();
  });
});
