import { expect, test, vi } from "vitest";
import { Channel } from "../../aside/channel.ts";

/** Two ends, of which the second offers these functions. */
function ends(functions: object | Promise<object>): readonly [Channel, Channel] {
  const both: Channel[] = [];
  const [caller, called] = [{}, functions].map(
    (offered, end) => new Channel((message) => both[1 - end]!.received(message), offered),
  );
  both.push(caller!, called!); // there are two
  return [caller!, called!];
}

test("a call has the result of the function, however the answers come", async () => {
  let slow: (value: string) => void = () => {};
  const functions = {
    slow: () => new Promise((resolve) => (slow = resolve)),
    sum: (a: number, b: number) => a + b,
  };
  const [caller] = ends(functions);
  const first = caller.call("slow");
  expect(await caller.call("sum", [1, 2])).toBe(3);
  slow("late");
  expect(await first).toBe("late");
  expect(await caller.call("unknown"), "of a later version").toBeUndefined();
});

test("a failure comes back, and so does the end of the other process", async () => {
  const fails = vi.fn<() => void>(() => {
    throw new Error("full");
  });
  const [caller] = ends({ fails, never: () => new Promise(() => {}) });
  await expect(caller.call("fails")).rejects.toThrow("full");
  const open = caller.call("never");
  caller.close();
  await expect(open).rejects.toThrow("gone");
  await expect(caller.call("fails")).rejects.toThrow("gone");
  expect(fails).toHaveBeenCalledOnce();
});

test("calls wait for what they call, and a failure of the system keeps its code", async () => {
  const [caller] = ends(Promise.resolve({ four: () => 4 }));
  expect(await caller.call("four")).toBe(4);
  const full = Object.assign(new Error("no space"), { code: "ENOSPC", errno: -28, path: "/x" });
  const [other] = ends(Promise.reject(full));
  const failed = other.call("four");
  await expect(failed).rejects.toMatchObject({ message: "no space", code: "ENOSPC", errno: -28 });
  await expect(failed).rejects.not.toHaveProperty("path");
});

test("once the other side has ended, the first reason is given", async () => {
  const [caller] = ends({});
  caller.close(new Error("out of memory"));
  caller.close();
  await expect(caller.call("four")).rejects.toThrow("out of memory");
});
