import { basename } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { pino } from "pino";
import { SnapshotAnswers } from "../../../server/requests/snapshot-answers.ts";
import { followSnapshots } from "../../../server/snapshots/follow-snapshots.ts";
import type { Service } from "../../../server/requests/service.ts";
import { RUN_INSTANT_MS, runSmall } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = temporaryFolder("follow");
const DAY_MS = 86_400_000;

afterEach(() => {
  vi.restoreAllMocks();
});

test("the first snapshot is in use before its answers are ready; a later one once they are", async () => {
  /** Which snapshot was in use as the answers of one began to be made ready. */
  const inUse: (string | undefined)[] = [];
  let ready = () => Promise.reject<void>(new Error("no memory"));
  vi.spyOn(SnapshotAnswers.prototype, "prepare").mockImplementation(() => {
    inUse.push(service.answers?.snapshot.id);
    return ready();
  });
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const service = { answers: undefined, publicUrl: "" } as unknown as Service; // what is used of it
  const first = basename((await runSmall(root)).dir);
  const monotonicMs = () => performance.now();
  const following = followSnapshots({ root, service, log, metrics: undefined, monotonicMs });
  await following.look();
  expect([service.answers?.snapshot.id, inUse]).toEqual([first, []]);
  await vi.waitUntil(() => lines.length === 2, { timeout: 20_000 });
  expect(lines[1]).toContain("an answer cannot be prepared");
  let end = () => {};
  ready = () => new Promise((resolve) => (end = resolve));
  const second = basename((await runSmall(root, { nowMs: RUN_INSTANT_MS + DAY_MS })).dir);
  const looking = following.look();
  await vi.waitUntil(() => inUse.length === 2, { timeout: 20_000 });
  expect([service.answers?.snapshot.id, inUse]).toEqual([first, [first, first]]);
  end();
  await looking;
  expect(service.answers?.snapshot.id).toBe(second);
});
