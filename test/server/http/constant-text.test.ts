import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import { constantText } from "../../../server/http/constant-text.ts";

test("a constant text is written as it is, wherever it stands and whatever follows it", () => {
  const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 40 });
  fc.assert(
    fc.property(ascii, ascii, ascii, (before, text, behind) => {
      const out = new ByteWriter(1);
      out.text(before);
      out.constant(constantText(text));
      out.text(behind);
      expect(out.written.toString("latin1")).toBe(before + text + behind);
    }),
  );
});

test("a text that is not plain ASCII cannot be constant", () => {
  expect(() => constantText("Zürich")).toThrow(RangeError);
  expect(() => constantText("\u0000")).toThrow(RangeError);
});
