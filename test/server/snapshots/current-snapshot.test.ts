import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CurrentSnapshot } from "../../../server/snapshots/current-snapshot.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A folder of pretend snapshots: opening one reads nothing, and fails if it is called damaged. */
class World {
  readonly folder = temporaryFolder("current");
  readonly switched: string[] = [];
  readonly damaged: [string, string][] = [];
  readonly broken = new Set<string>();
  opened = 0;
  current: string | undefined = undefined;
  /** Why the folder cannot be read; empty if it can. */
  unreadable = "";
  nowMs = 0;
  readonly follower = new CurrentSnapshot({
    root: this.folder,
    find: async () => {
      if (this.unreadable !== "") throw new Error(this.unreadable);
      return this.current === undefined ? undefined : join(this.folder, this.current);
    },
    use: async (dir) => {
      this.opened++;
      const id = dir.slice(this.folder.length + 1);
      if (this.broken.has(id)) throw new Error(`${id} is damaged`);
      this.switched.push(id);
    },
    onDamaged: (id, reason) => this.damaged.push([id, reason]),
    monotonicMs: () => this.nowMs,
    pollMs: 20,
  });
}

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => {
  world.follower.stop();
});

describe("the current snapshot", () => {
  test("may not be there yet", async () => {
    await world.follower.look();
    expect([world.switched, world.damaged]).toEqual([[], []]);
    world.current = "one";
    await world.follower.look();
    expect(world.switched).toEqual(["one"]);
  });

  test("gives way to the next one, and comes back when it is named again", async () => {
    for (const id of ["one", "two", "one"]) {
      world.current = id;
      await world.follower.look();
    }
    expect(world.switched).toEqual(["one", "two", "one"]);
  });

  test("stays when the next one is damaged, which is said once", async () => {
    world.broken.add("two");
    world.current = "one";
    await world.follower.look();
    world.current = "two";
    for (let look = 0; look < 5; look++) await world.follower.look();
    expect(world.switched).toEqual(["one"]);
    expect(world.damaged).toEqual([["two", "two is damaged"]]);
    expect(world.opened, "not read over and over").toBe(2);
  });

  test("is tried again after a while, and taken when it has become whole", async () => {
    world.broken.add("one");
    world.current = "one";
    await world.follower.look();
    world.nowMs += 30_000;
    await world.follower.look();
    expect(world.damaged).toHaveLength(1);
    world.broken.delete("one");
    world.nowMs += 30_000;
    await world.follower.look();
    expect(world.switched).toEqual(["one"]);
  });

  test("stays when CURRENT cannot be read, and the next is taken at once", async () => {
    world.current = "one";
    await world.follower.look();
    world.unreadable = "CURRENT names no snapshot";
    await world.follower.look();
    await world.follower.look();
    expect(world.damaged).toEqual([["CURRENT", "CURRENT names no snapshot"]]);
    world.unreadable = "";
    world.current = "two";
    await world.follower.look();
    expect(world.switched).toEqual(["one", "two"]);
  });

  test("is looked for again and again", async () => {
    world.current = "one";
    await world.follower.start();
    expect(world.switched).toEqual(["one"]);
    world.current = "two";
    await expect.poll(() => world.switched).toEqual(["one", "two"]);
  });

  test("is looked for in a folder that does not exist yet", async () => {
    rmSync(world.folder, { recursive: true });
    await world.follower.start();
    expect(world.damaged).toEqual([]);
    mkdirSync(world.folder);
    world.current = "one";
    await world.follower.look();
    expect(world.switched).toEqual(["one"]);
  });
});
