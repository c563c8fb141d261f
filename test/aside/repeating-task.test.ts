import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RepeatingTask } from "../../aside/repeating-task.ts";

const ROUND_MS = 2_000;

let beats: number;
/** What a round does, where it does not just succeed. */
let round: () => Promise<void>;
let reports: string[];
let rounds: RepeatingTask;

beforeEach(() => {
  vi.useFakeTimers();
  [beats, reports] = [0, []];
  round = () => Promise.resolve();
  const beat = () => {
    beats++;
    return round();
  };
  rounds = new RepeatingTask(beat, (reason) => void reports.push(reason));
});
afterEach(async () => {
  await rounds.stop();
  vi.useRealTimers();
});

describe("rounds", () => {
  test("begin at once and every two seconds until they are stopped", async () => {
    rounds.start(ROUND_MS);
    expect(beats, "before a job is taken").toBe(1);
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(beats).toBe(4);
    await rounds.stop();
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(beats).toBe(4);
  });

  test("wait for one that takes long, also where they are stopped", async () => {
    let end = () => {};
    round = () => new Promise((resolve) => (end = resolve));
    rounds.start(ROUND_MS);
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(beats).toBe(1);
    let isStopped = false;
    const stopping = rounds.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    end();
    await stopping;
  });

  test("report a failure once, and again after a success or with another reason", async () => {
    const away = () => Promise.reject(new Error("away"));
    round = away;
    rounds.start(ROUND_MS);
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(beats, "it goes on").toBe(4);
    expect(reports).toEqual(["away"]);
    round = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(ROUND_MS);
    round = away;
    await vi.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(reports).toEqual(["away", "away"]);
    round = () => Promise.reject(new Error("full"));
    await vi.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(reports).toEqual(["away", "away", "full"]);
  });
});
