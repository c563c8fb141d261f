import { FileRefused, TooLarge } from "../../../files/refused.ts";
import { expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { PanelRefused } from "../../../quant/check/panel.ts";
import { failureReply } from "../../../server/checks/failure-reply.ts";

const LONG = `no strategy "${"x".repeat(15_500_000)}"`;

test.each([
  ["refused", new FileRefused(LONG)],
  ["refused", new PanelRefused(LONG)],
  ["too_large", new TooLarge(LONG)],
  ["more_needed", new MoreNeeded([{ option: "format", text: LONG, choices: [] }])],
])("a message of 15 MB is cut: %s", (kind, error) => {
  const reply = failureReply(error);
  expect(reply.kind).toBe(kind);
  const words = reply.kind === "more_needed" ? reply.questions[0]?.text : "";
  expect("message" in reply ? reply.message : words).toMatch(/^no strategy "x{900,}\.\.\.$/);
});

test("a defect is told by its name and frames, without a word of the file", () => {
  const error = new TypeError("secret\n    of the file");
  const reply = failureReply(error);
  expect(reply).toMatchObject({ kind: "failed", name: "TypeError" });
  expect(JSON.stringify(reply)).not.toContain("secret");
  expect(reply.kind === "failed" && reply.frames).toMatch(/^ {4}at /);
});
