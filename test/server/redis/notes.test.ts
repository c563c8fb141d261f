import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../server/accounts/accounts.ts";
import { NoteFolder } from "../../../server/redis/note-folder.ts";
import { Notes, type NoteLink, type Settled } from "../../../server/redis/notes.ts";

interface Note {
  readonly group: number;
}

const LINK: NoteLink = { run: () => Promise.resolve() };
const LOOK_MS = 5_000;
const KEPT_MS = 6_000;
const HELD_MAX = 10_000;

let folder: string;
let nowMs: number;
let warnings: string[];
/** Groups in the order they were settled, and what Redis says to it. */
let settled: number[];
let answer: () => Settled;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
  [nowMs, warnings, settled] = [0, [], []];
  answer = () => "settled";
});
afterEach(() => rmSync(folder, { recursive: true }));

const notes = () => notesIn(folder);

function notesIn(place: string | undefined): Notes<Note> {
  return new Notes<Note>({
    folder: place,
    kind: "charges",
    warn: (message) => warnings.push(message),
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    settle: (_, { group }) => {
      settled.push(group);
      return Promise.resolve().then(answer);
    },
  });
}

const files = () => readdirSync(folder).length;

describe("notes", () => {
  test("are settled at once and a second time, then they go: Redis may have lost what it did first", async () => {
    const own = notes();
    own.write({ group: 1 });
    expect([own.unsettled, files()]).toEqual([true, 1]);
    await own.settle(LINK);
    expect([own.unsettled, files()]).toEqual([false, 1]);
    nowMs = KEPT_MS - 1;
    await own.settle(LINK);
    expect([settled, files()]).toEqual([[1], 1]);
    nowMs = KEPT_MS;
    await own.settle(LINK);
    expect([settled, files()]).toEqual([[1, 1], 0]);
    await own.settle(LINK);
    expect(settled).toEqual([1, 1]);
  });

  test("of what may still come are asked about until it cannot", async () => {
    const own = notes();
    own.write({ group: 1 });
    answer = () => "early";
    nowMs = 2 * KEPT_MS;
    await own.settle(LINK);
    await own.settle(LINK);
    expect([settled, own.unsettled]).toEqual([[1, 1], true]);
    answer = () => "settled";
    await own.settle(LINK);
    nowMs += KEPT_MS - 1;
    await own.settle(LINK);
    expect([settled, files()], "kept since it was settled").toEqual([[1, 1, 1], 1]);
  });

  test("are settled anew on a new connection, however often they were", async () => {
    const own = notes();
    own.write({ group: 1 });
    await own.settle(LINK);
    answer = () => "early";
    await own.settleAnew(LINK);
    expect([settled, own.unsettled]).toEqual([[1, 1], true]);
    answer = () => "settled";
    await own.settle(LINK);
    own.write({ group: 2 });
    expect(own.unsettled, "one of two").toBe(true);
  });

  test("of another Redis are left to its servers", async () => {
    const own = notes();
    own.write({ group: 1 });
    answer = () => "strange";
    await own.settle(LINK);
    nowMs = 10 * KEPT_MS;
    await own.settle(LINK);
    expect([settled, own.unsettled, files()]).toEqual([[1], false, 1]);
  });

  test("that cannot be settled are warned of, and keep nothing from the others", async () => {
    const own = notes();
    own.write({ group: 1 });
    own.write({ group: 2 });
    answer = () => {
      if (settled.length === 1) throw new Error("no such field");
      return "settled";
    };
    await own.settle(LINK);
    expect([settled, own.unsettled, files()]).toEqual([[1, 2], false, 2]);
    expect(warnings).toEqual(["a note of charges is left as it is: Error: no such field"]);
  });

  test("wait where Redis is out of reach", async () => {
    const own = notes();
    own.write({ group: 1 });
    answer = () => {
      throw new AccountsUnavailable("away");
    };
    await expect(own.settle(LINK)).rejects.toThrow(AccountsUnavailable);
    await expect(own.settleAnew(LINK)).rejects.toThrow(AccountsUnavailable);
    expect([own.unsettled, warnings]).toEqual([true, []]);
    answer = () => "settled";
    await own.settle(LINK);
    expect([settled, own.unsettled]).toEqual([[1, 1, 1], false]);
  });

  test("are what can be read as such", async () => {
    for (const [file, text] of [
      ["00", '{"gro'],
      ["01", "null"],
      ["02", "7"],
    ]) {
      writeFileSync(join(folder, `charges-${file}.json`), text!); // each has one
    }
    await notes().settle(LINK);
    expect([settled, warnings]).toEqual([[], []]);
  });

  test("that others left are looked for every five seconds", async () => {
    const own = notes();
    await own.settle(LINK);
    const others = new NoteFolder({
      folder,
      kind: "charges",
      retentionMs: () => nowMs,
      warn: () => {},
    });
    others.write({ group: 7 });
    nowMs = LOOK_MS - 1;
    await own.settle(LINK);
    expect(settled).toEqual([]);
    nowMs = LOOK_MS;
    await own.settle(LINK);
    expect(settled).toEqual([7]);
    nowMs += LOOK_MS;
    await own.settle(LINK);
    expect(settled, "it is known by now").toEqual([7]);
  });

  test("without a folder are as many as memory is for, the newest", async () => {
    const own = notesIn(undefined);
    for (let group = 0; group <= HELD_MAX; group++) own.write({ group });
    await own.settle(LINK);
    expect([settled.length, settled[0], settled.at(-1)]).toEqual([HELD_MAX, 1, HELD_MAX]);
  });
});
