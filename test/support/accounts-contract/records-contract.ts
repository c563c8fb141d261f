import { beforeEach, describe, expect, test } from "vitest";
import type { Admin } from "../../../accounts/accounts-admin.ts";
import type { Records, Transaction } from "../../../accounts/records.ts";
import { benchOfEachTest, type AccountsBench } from "./bench.ts";

const LINK = {
  purpose: "sign_in",
  accountId: null,
  sealed: "",
  createdMs: 1,
  usedBy: null,
} as const;
const SHARE = { taken: 1, untilMs: 2_000_000_000_000 };

/** The contract of a rule that reads and writes records. */
export function recordsContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);
  let admin: Admin;
  let store: Records;
  let id: string;

  const put = (write: (tx: Transaction) => void) =>
    store.change(async (tx) => {
      for (const [kind, name] of [
        ["link", "l"],
        ["session", "s"],
        ["share", "n"],
      ] as const)
        await tx.get(kind, name);
      write(tx);
    });

  describe("a rule", () => {
    beforeEach(async () => {
      admin = await bench().admin();
      ({ store } = admin);
      ({ id } = (await bench().account("free")).account);
      await put((tx) => {
        const session = {
          hash: "s",
          accountId: id,
          device: "",
          createdMs: 1,
          lastDay: "2026-02-10",
        };
        tx.put("session", "s", session);
        tx.put("link", "l", LINK);
        tx.put("share", "n", SHARE);
      });
    });

    test.each<[string, (tx: Transaction) => unknown, () => Promise<unknown>]>([
      ["an account", (tx) => tx.get("account", id), () => admin.suspend(id)],
      ["the keys of an account", (tx) => tx.get("account", id), () => admin.createKey(id, "live")],
      ["an account that is gone", (tx) => tx.get("account", id), () => admin.deleteAccount(id)],
      [
        "an address without an account",
        (tx) => tx.idOf("bob@example.com"),
        () => admin.createAccount({ email: "Bob@example.com", plan: "free" }),
      ],
      [
        "a link",
        (tx) => tx.get("link", "l"),
        () => put((tx) => tx.put("link", "l", { ...LINK, usedBy: "s" })),
      ],
      ["a session", (tx) => tx.get("session", "s"), () => put((tx) => tx.delete("session", "s"))],
      [
        "a share",
        (tx) => tx.get("share", "n"),
        () => put((tx) => tx.put("share", "n", { ...SHARE, taken: 2 })),
      ],
    ])("that has read %s runs again once that has changed", async (_, read, meanwhile) => {
      let runs = 0;
      await store.change(async (tx) => {
        await read(tx);
        if (runs++ === 0) await meanwhile();
        tx.note({ who: "admin", nowMs: bench().nowMs }, `run ${runs}`, id);
      });
      const noted = (await store.changes(0, 100)).map(({ what }) => what);
      expect(noted.filter((what) => what.startsWith("run "))).toEqual(["run 2"]);
    });

    test("stores nothing if it refuses", async () => {
      const refusing = store.change(async (tx) => {
        tx.put("share", "n", { ...SHARE, taken: 7 });
        throw new RangeError("refused");
      });
      await expect(refusing).rejects.toThrow(RangeError);
      expect(await store.get("share", "n")).toEqual(SHARE);
    });

    test("stores the records that it puts as they are", async () => {
      expect(await store.get("link", "l")).toEqual(LINK);
      expect([...(await store.ofAccount("session", id)).keys()]).toEqual(["s"]);
      const [key] = await admin.listKeys(id);
      const hash = (await store.hashOf(key!.id))!; // it was made with the account
      const ended = { ...key!, name: "old", expiresMs: 5, revokedMs: 7 };
      await put((tx) => tx.put("key", hash, ended));
      expect(await store.get("key", hash)).toEqual(ended);
    });
  });
}
