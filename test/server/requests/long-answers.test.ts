import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { KeptAnswer } from "../../../server/requests/kept-answer.ts";
import { LongAnswers, type Asker } from "../../../server/requests/long-answers.ts";
import { asker } from "../../support/asker.ts";

const PIECES = 3;

/** Long answers that only note which of them are begun and done. */
class Bench {
  readonly long = new LongAnswers();
  readonly begun: string[] = [];
  readonly done: string[] = [];

  /** Asks as an account would. Resolves with "made", or the code of why not. */
  ask(name: string, by: Asker | undefined): Promise<string> {
    const made = this.long.find(name, by) ?? this.#make(name, by);
    return made.then(
      () => "made",
      (error: unknown) => (error as { code: string }).code,
    );
  }

  #make(name: string, by: Asker | undefined): Promise<KeptAnswer> {
    return this.long.make(name, by, async (turn) => {
      this.begun.push(name);
      for (let piece = 0; piece < PIECES; piece++) await turn();
      this.done.push(name);
      return undefined as never;
    });
  }

  /** Asks for so many different answers, `a1` and so on if the account is "a". */
  askMany(count: number, by: Asker, prefix = by.request.accountId): Promise<string>[] {
    return Array.from({ length: count }, (_, index) => this.ask(`${prefix}${index + 1}`, by));
  }
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await nextTurn();
};

/** Whether others get more than a turn of the event loop between two pieces. Tries five times, as a rest may be missed. */
async function paceOf(turn: () => Promise<unknown>): Promise<string> {
  for (let piece = 0; piece < 5; piece++) {
    const first = await Promise.race([turn().then(() => "goes on"), nextTurn("rests")]);
    if (first === "rests") return first;
  }
  return "goes on";
}

describe("long answers", () => {
  test("are made one after the other, in the order in which one account asks", async () => {
    const bench = new Bench();
    await Promise.all(bench.askMany(4, asker("a")));
    expect(bench.begun).toEqual(["a1", "a2", "a3", "a4"]);
    expect(bench.done).toEqual(bench.begun);
  });

  test("alternate between accounts, however many one of them waits for", async () => {
    const bench = new Bench();
    const asked = bench.askMany(5, asker("a"));
    await turns(2);
    asked.push(...bench.askMany(2, asker("b")), ...bench.askMany(1, asker("c")));
    await Promise.all(asked);
    expect(bench.done).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4", "a5"]);
  });

  test("give an account that comes back no turns for the time it was away", async () => {
    const bench = new Bench();
    await Promise.all(bench.askMany(1, asker("b")));
    const asked = bench.askMany(4, asker("a"));
    await asked[0];
    asked.push(bench.ask("b2", asker("b")), bench.ask("b3", asker("b")));
    await Promise.all(asked);
    expect(bench.done).toEqual(["b1", "a1", "a2", "a3", "b2", "a4", "b3"]);
  });

  test("are made in the turn of whoever is first, where several wait for one", async () => {
    const bench = new Bench();
    const asked = bench.askMany(5, asker("a"));
    asked.push(bench.ask("a5", asker("b")));
    await Promise.all(asked);
    expect(bench.done).toEqual(["a1", "a2", "a5", "a3", "a4"]);
  });

  test("that nobody waits for any more are dropped, and the account's later ones move up", async () => {
    const bench = new Bench();
    const [first, other] = [asker("a"), asker("a")];
    const asked = [bench.ask("half", first), bench.ask("shared", first), bench.ask("never", first)];
    asked.push(bench.ask("shared", other), bench.ask("late", other));
    await turns(2);
    first.open = false;
    asked.push(bench.ask("b1", asker("b")));
    expect(await Promise.all(asked)).toEqual([
      "unavailable",
      "made",
      "unavailable",
      "made",
      "made",
      "made",
    ]);
    expect(bench.begun).toEqual(["half", "shared", "b1", "late"]);
    expect(bench.done).toEqual(["shared", "b1", "late"]);
  });

  test("that were dropped are made for whoever asks next", async () => {
    const bench = new Bench();
    const gone = asker("a");
    const asked = [bench.ask("x", gone), bench.ask("y", gone)];
    await turns(1);
    gone.open = false;
    const again = bench.ask("y", asker("b"));
    expect(await Promise.all([...asked, again])).toEqual(["unavailable", "made", "made"]);
    expect(await bench.ask("x", asker("b"))).toBe("made");
  });

  test("that are prepared are made though nobody waits for them", async () => {
    const bench = new Bench();
    const client = asker("a");
    const asked = [bench.ask("board", undefined), bench.ask("board", client)];
    asked.push(bench.ask("past day", client), bench.ask("past day", undefined));
    client.open = false;
    expect(await Promise.all(asked)).toEqual(["made", "made", "made", "made"]);
  });

  test("are refused to an account that waits for many, and to no other", async () => {
    const bench = new Bench();
    const [gone, client] = [asker("a"), asker("a")];
    const asked = [...bench.askMany(30, gone, "gone"), ...bench.askMany(30, client)];
    expect(() => bench.ask("too many", client)).toThrow("waits for 60");
    asked.push(bench.ask("a30", client), bench.ask("b1", asker("b")));
    gone.open = false;
    asked.push(bench.ask("one more", client));
    await Promise.all(asked);
    expect(bench.done).toHaveLength(30 + 2);
    expect(await bench.ask("afterwards", client)).toBe("made");
  });

  test("are made though one ahead of them fails", async () => {
    const long = new LongAnswers();
    const made = ["one", "two"].map((name) =>
      long.make(name, asker("a"), async (turn) => {
        await turn();
        if (name === "one") throw new Error("a broken column");
        return {} as KeptAnswer;
      }),
    );
    const settled = await Promise.allSettled(made);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("rest between pieces while nobody waits for any of them", async () => {
    const long = new LongAnswers();
    const paces: string[] = [];
    const make = (name: string, by: Asker | undefined, ask?: () => void) =>
      long.make(name, by, async (turn) => {
        paces.push(`${name} ${await paceOf(turn)}`);
        ask?.();
        paces.push(`${name} ${await paceOf(turn)}`);
        return {} as KeptAnswer;
      });
    await make("one", undefined, () => void long.find("one", asker("a")));
    let asked: Promise<unknown> | undefined;
    await make("two", undefined, () => {
      asked = make("behind two", asker("a"));
    });
    await asked;
    await make("three", undefined);
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
