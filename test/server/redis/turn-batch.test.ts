import { afterEach, expect, test, vi } from "vitest";
import { TurnBatch } from "../../../server/redis/turn-batch.ts";

/** Allows one group at a time; the test moves the clock. */
function oneByOne() {
  const clock = { ms: 0 };
  const refusal = () => new Error("too late");
  const monotonicMs = () => clock.ms;
  return { clock, limits: { underWayMax: 1, apartMs: 0, waitMaxMs: 50, refusal, monotonicMs } };
}

afterEach(() => {
  vi.useRealTimers();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Records the groups that were asked, each answered when the test says so. */
function asked() {
  const groups: { readonly questions: readonly number[]; answer: () => void }[] = [];
  const ask = (questions: readonly number[]) =>
    new Promise<readonly number[]>((resolve) => {
      groups.push({ questions, answer: () => resolve(questions.map((each) => 10 * each)) });
    });
  return { groups, ask };
}

test("questions of one turn are asked together, in groups of limited size, and answered in order", async () => {
  const { groups, ask } = asked();
  const batch = new TurnBatch(2, ask);
  const answers = Promise.all([1, 2, 3].map((each) => batch.add(each)));
  await nextTurn();
  expect(groups.map(({ questions }) => questions)).toEqual([[1, 2], [3]]);
  for (const { answer } of groups) answer();
  expect(await answers).toEqual([10, 20, 30]);
});

test("with a limit the next group waits for one that is under way, and takes what came meanwhile", async () => {
  const { groups, ask } = asked();
  const batch = new TurnBatch(2, ask, oneByOne().limits);
  const first = Promise.all([1, 2, 3].map((each) => batch.add(each)));
  await nextTurn();
  const later = batch.add(4);
  await nextTurn();
  expect(groups.map(({ questions }) => questions)).toEqual([[1, 2]]);
  groups[0]?.answer();
  await nextTurn();
  expect(groups[1]?.questions).toEqual([3, 4]);
  groups[1]?.answer();
  expect(await first).toEqual([10, 20, 30]);
  expect(await later).toBe(40);
});

test("a group that is not full waits some time after the one before; a full one is asked at once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { groups, ask } = asked();
  const { clock, limits } = oneByOne();
  const batch = new TurnBatch(2, ask, { ...limits, underWayMax: 9, apartMs: 2 });
  const answers = [batch.add(1)];
  await nextTurn();
  expect(groups, "the first waits for nobody").toHaveLength(1);
  answers.push(batch.add(2));
  await nextTurn();
  expect(groups).toHaveLength(1);
  clock.ms = 2;
  vi.advanceTimersByTime(2);
  expect(groups.map(({ questions }) => questions)).toEqual([[1], [2]]);
  for (const more of [[3, 4], [5]]) {
    answers.push(...more.map((each) => batch.add(each)));
    await nextTurn();
    expect(groups.map(({ questions }) => questions)).toEqual([[1], [2], [3, 4]]);
  }
  clock.ms = 4;
  vi.advanceTimersByTime(2);
  for (const { answer } of groups) answer();
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
});

test("a question that waited too long for others is refused, however long its own turn took", async () => {
  const { groups, ask } = asked();
  const { clock, limits } = oneByOne();
  const batch = new TurnBatch(1, ask, limits);
  const first = batch.add(1);
  await nextTurn();
  expect(groups[0]?.questions).toEqual([1]);
  const late = batch.add(2).catch((error: unknown) => String(error));
  clock.ms = 1_000;
  await nextTurn();
  clock.ms = 1_030;
  const inTime = batch.add(3);
  await nextTurn();
  clock.ms = 1_051;
  groups[0]?.answer();
  expect(await first).toBe(10);
  expect(await late).toBe("Error: too late");
  expect(groups[1]?.questions).toEqual([3]);
  groups[1]?.answer();
  expect(await inTime).toBe(30);
});

test("every question of a failed group learns of the failure, and the next group goes on", async () => {
  let calls = 0;
  const ask = async (questions: readonly number[]) => {
    if (calls++ === 0) throw new Error("away");
    return questions;
  };
  const batch = new TurnBatch(1, ask, oneByOne().limits);
  const [failed, well] = await Promise.allSettled([batch.add(1), batch.add(2)]);
  expect(failed.status).toBe("rejected");
  expect(well).toEqual({ status: "fulfilled", value: 2 });
});
