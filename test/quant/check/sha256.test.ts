import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../../quant/check/sha256.ts";

test("is the platform's SHA-256 for bytes of any length", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, (data) => {
      expect(sha256(data)).toBe(createHash("sha256").update(data).digest("hex"));
    }),
  );
});
