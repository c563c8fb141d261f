import { expect, test } from "vitest";
import { rememberedPing } from "../../../server/process/remembered-ping.ts";

test("a store is asked once a second at most whether it answers", async () => {
  let nowMs = 0;
  let asked = 0;
  let fault: Error | undefined;
  const ping = () => {
    asked++;
    if (fault !== undefined) throw fault;
  };
  const isReachable = rememberedPing(ping, () => nowMs);
  expect(await isReachable()).toBe(true);
  fault = new Error("gone");
  nowMs = 999;
  expect([await isReachable(), asked]).toEqual([true, 1]);
  nowMs = 1_000;
  expect([await isReachable(), asked]).toEqual([false, 2]);
  fault = undefined;
  nowMs = 2_000;
  expect([await isReachable(), asked]).toEqual([true, 3]);
});
