import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const HOUSE =
  "aside accounts api check cli files pipeline quant scripts server snapshots web".split(" ");
const IMPORTED = /(?:from|import\()\s*"(\.[^"]+)"/g;

/** The folder of a file below another; "" for the files that wire them. */
function roomOf(file: string, below: string): string {
  const [room = ""] = relative(below, dirname(file)).split("/");
  return room;
}

/** Each folder below one with the folders there that it uses, types included. */
function usedRooms(folders: readonly string[], below: string): ReadonlyMap<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  for (const path of files.filter((each) => /\.tsx?$/.test(each))) {
    const imports = readFileSync(path, "utf8").matchAll(IMPORTED);
    for (const [, target = ""] of imports) {
      const other = normalize(join(dirname(path), target));
      if (relative(below, other).startsWith("..")) continue;
      const [from, to] = [roomOf(path, below), roomOf(other, below)];
      if (from === "" || to === "" || from === to) continue;
      used.set(from, (used.get(from) ?? new Set()).add(to));
    }
  }
  return used;
}

test.each([
  ["the house", HOUSE, "."],
  ["server/", ["server"], "server"],
])("no two rooms of %s use each other", (_name, folders, below) => {
  const used = usedRooms(folders, below);
  expect(used.size, "rooms that use others").toBeGreaterThan(5);
  const pairs = [...used].flatMap(([room, others]) =>
    [...others].filter((other) => used.get(other)?.has(room)).map((other) => `${room} ${other}`),
  );
  expect(pairs).toEqual([]);
});

test("server/http uses no other folder of server/", () => {
  expect([...(usedRooms(["server"], "server").get("http") ?? [])]).toEqual([]);
});
