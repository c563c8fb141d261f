import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { KeptAnswer } from "../../../server/answers/kept-answer.ts";
import { LongAnswers } from "../../../server/answers/long-answers.ts";

const ANSWER = {} as KeptAnswer;
type Turn = () => Promise<unknown>;

let answers: LongAnswers;
beforeEach(() => {
  answers = new LongAnswers();
});

/** Whether others get more than a turn of the event loop between two pieces. Tries five times, as a rest may be missed. */
async function paceOf(turn: Turn): Promise<string> {
  for (let piece = 0; piece < 5; piece++) {
    const first = await Promise.race([turn().then(() => "goes on"), setImmediate("rests")]);
    if (first === "rests") return first;
  }
  return "goes on";
}

describe("long answers", () => {
  test("are made one after the other, whatever becomes of those ahead", async () => {
    const steps: string[] = [];
    const make = (etag: string, error?: Error) =>
      answers.make(etag, true, async (turn) => {
        steps.push(`${etag} begins`);
        for (let piece = 0; piece < 3; piece++) await turn();
        steps.push(`${etag} ends`);
        if (error !== undefined) throw error;
        return ANSWER;
      });
    const made = [make("one", new Error("a broken column")), make("two"), make("three")];
    expect((await Promise.allSettled(made)).map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(steps).toEqual(
      ["one", "two", "three"].flatMap((each) => [`${each} begins`, `${each} ends`]),
    );
  });

  test("rest between pieces until somebody asks for one of them, and when all are made", async () => {
    const paces: string[] = [];
    const make = (etag: string, isWanted: boolean, ask?: () => void) =>
      answers.make(etag, isWanted, async (turn) => {
        paces.push(`${etag} ${await paceOf(turn)}`);
        ask?.();
        paces.push(`${etag} ${await paceOf(turn)}`);
        return ANSWER;
      });
    await make("one", false, () => void answers.find("one", true));
    let asked: Promise<unknown> | undefined;
    await make("two", false, () => {
      asked = make("behind two", true);
    });
    await asked;
    await make("three", false);
    expect(paces).toEqual([
      "one rests",
      "one goes on",
      "two rests",
      "two goes on",
      "behind two goes on",
      "behind two goes on",
      "three rests",
      "three rests",
    ]);
  });
});
