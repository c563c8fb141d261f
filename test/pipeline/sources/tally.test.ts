import { describe, expect, test } from "vitest";
import { Tally } from "../../../pipeline/sources/tally.ts";
import type { FileFaultReason } from "../../../pipeline/price-rules/raw-row.ts";
import { sourceCoin } from "../../support/prices-file-rows.ts";

function tallyOf(reasons: readonly (FileFaultReason | null)[]): Tally {
  const tally = new Tally("exchange:x");
  for (const [index, reason] of reasons.entries()) {
    const fault = reason === null ? null : { reason, message: `coin ${index}` };
    tally.add(sourceCoin([], { ticker: `c${index}`, fault }));
  }
  return tally;
}

describe("Tally", () => {
  test("distinguishes what the source does not have from what failed", () => {
    const tally = tallyOf([
      null,
      null,
      null,
      null,
      "symbol_unknown",
      "file_missing",
      "fetch_failed",
    ]);
    expect(tally.summary({ failedShareMax: 0.2 })).toEqual({
      served: 4,
      missing: ["c4", "c5"],
      failed: [{ ticker: "c6", message: "coin 6" }],
      otherFiles: 0,
      notices: [],
    });
  });

  test("ends the run when more than the share of the coins that the source has failed", () => {
    const one = tallyOf([null, null, null, null, "fetch_failed"]);
    expect(() => one.summary({ failedShareMax: 0.2 })).not.toThrow();
    const two = tallyOf([null, null, null, "fetch_failed", "symbol_unknown", "symbol_unknown"]);
    expect(() => two.summary({ failedShareMax: 0.2 })).toThrow(
      'source "exchange:x" served 3 of 6 board coins, 1 failed: coin 3',
    );
  });

  test("ends the run when nothing was served", () => {
    expect(() => tallyOf(["symbol_unknown"]).summary({ failedShareMax: 1 })).toThrow(
      "served 0 of 1 board coins, 0 failed: it has none of them",
    );
  });
});
