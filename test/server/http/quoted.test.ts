import { expect, test } from "vitest";
import { quoted } from "../../../server/http/quoted.ts";

test.each([
  ["btc", '"btc"'],
  ["", '""'],
  ["x".repeat(41), `"${"x".repeat(40)}..."`],
  ["x".repeat(40), `"${"x".repeat(40)}"`],
  ["a\u0000b\r\nc\u202e\u2028", '"a?b??c??"'],
  ["₿", '"₿"'],
  ["\ud83d\ude00".repeat(50), `"${"\ud83d\ude00".repeat(40)}..."`],
])("%j is shown as %j", (text, expected) => {
  expect(quoted(text)).toBe(expected);
});
