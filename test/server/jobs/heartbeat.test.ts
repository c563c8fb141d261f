import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Heartbeat } from "../../../server/jobs/heartbeat.ts";

const BEAT_MS = 2_000;

let beats: number;
/** What a round does, where it does not just succeed. */
let round: () => Promise<void>;
let reports: string[];
let heartbeat: Heartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  [beats, reports] = [0, []];
  round = () => Promise.resolve();
  const beat = () => {
    beats++;
    return round();
  };
  heartbeat = new Heartbeat(beat, {
    error: ({ error }: { error?: string }, message: string) =>
      void reports.push(`${message}: ${error}`),
  });
});
afterEach(async () => {
  await heartbeat.stop();
  vi.useRealTimers();
});

describe("a heartbeat", () => {
  test("beats at once and every two seconds until it is stopped", async () => {
    heartbeat.start();
    expect(beats, "before a job is taken").toBe(1);
    await vi.advanceTimersByTimeAsync(3 * BEAT_MS);
    expect(beats).toBe(4);
    await heartbeat.stop();
    await vi.advanceTimersByTimeAsync(3 * BEAT_MS);
    expect(beats).toBe(4);
  });

  test("waits for a round that takes long, also where it is stopped", async () => {
    let end = () => {};
    round = () => new Promise((resolve) => (end = resolve));
    heartbeat.start();
    await vi.advanceTimersByTimeAsync(3 * BEAT_MS);
    expect(beats).toBe(1);
    let isStopped = false;
    const stopping = heartbeat.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    end();
    await stopping;
  });

  test("says once that the store does not answer, and again after it did", async () => {
    const said = "the job store cannot be looked after: Error: away";
    const away = () => Promise.reject(new Error("away"));
    round = away;
    heartbeat.start();
    await vi.advanceTimersByTimeAsync(3 * BEAT_MS);
    expect(beats, "it goes on").toBe(4);
    expect(reports).toEqual([said]);
    round = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(BEAT_MS);
    round = away;
    await vi.advanceTimersByTimeAsync(2 * BEAT_MS);
    expect(reports).toEqual([said, said]);
  });
});
