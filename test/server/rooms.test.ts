import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const SERVER = "server";
const IMPORTED = /(?:from|import\()\s*"(\.[^"]+)"/g;

/** The folder of a file below `server/`; "" for the files that wire them. */
function roomOf(file: string): string {
  const [room = ""] = relative(SERVER, dirname(file)).split("/");
  return room;
}

/** Each folder with the folders it uses. */
function usedRooms(): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((each) => each.endsWith(".ts"))) {
    const path = join(SERVER, file);
    const imports = readFileSync(path, "utf8").matchAll(IMPORTED);
    for (const [, target = ""] of imports) {
      const other = normalize(join(dirname(path), target));
      if (!other.startsWith(`${SERVER}/`)) continue;
      const [from, to] = [roomOf(path), roomOf(other)];
      if (from === "" || to === "" || from === to) continue;
      used.set(from, (used.get(from) ?? new Set()).add(to));
    }
  }
  return used;
}

test("no two folders of server/ use each other", () => {
  const used = usedRooms();
  expect(used.size, "folders that use others").toBeGreaterThan(5);
  const pairs = [...used].flatMap(([room, others]) =>
    [...others].filter((other) => used.get(other)?.has(room)).map((other) => `${room} ${other}`),
  );
  expect(pairs).toEqual([]);
});

test.each(["http", "redis"])("%s uses no other folder of server/", (room) => {
  expect([...(usedRooms().get(room) ?? [])]).toEqual([]);
});
