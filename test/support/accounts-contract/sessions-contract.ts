import { beforeEach, describe, expect, test } from "vitest";
import { SESSION_MS } from "../../../accounts/records.ts";
import { drawToken } from "../../../accounts/access-tokens.ts";
import type { AccountRecord } from "../../../accounts/admin.ts";
import type { SignIn } from "../../../accounts/sign-in.ts";
import { bearer } from "../bearer.ts";
import { charge } from "../charge.ts";
import { accessSteps, asking, made, linkTo, signedIn } from "./access-steps.ts";
import { benchOfEachTest, callerOf, DAY_MS, served, type AccountsBench } from "./bench.ts";

const HOUR_MS = 3_600_000;

/** The contract of sessions, and of accounts that are suspended, moved or deleted. */
export function sessionsContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);
  const signIns = accessSteps(bench);
  let signIn: SignIn;
  beforeEach(async () => {
    signIn = await signIns();
  });

  describe("a session", () => {
    test("replaces the one its browser had, is listed by device and last day, and ends after 30 days", async () => {
      const first = await signedIn(signIn, "ann@example.com");
      const token = await linkTo(signIn, "ann@example.com");
      const browser = { device: "Safari on macOS", cookie: first.cookie, networks: [] };
      const { cookie } = await signIn.signIn(token, drawToken(), browser);
      expect(await signIn.session(first.cookie)).toBeUndefined();
      await bench().pass(DAY_MS);
      expect((await signIn.session(cookie))?.isFresh).toBe(false);
      const [listed, ...others] = await signIn.store.sessionsOf(first.account.id, bench().nowMs);
      expect(others).toEqual([]);
      const today = new Date(bench().nowMs).toISOString().slice(0, 10);
      expect(listed).toMatchObject({ device: "Safari on macOS", lastDay: today });
      await bench().pass(SESSION_MS - DAY_MS);
      expect(await signIn.session(cookie)).toBeUndefined();
    });

    test("is revoked alone or with all others, by its own account only", async () => {
      const [one, two] = [
        await signedIn(signIn, "ann@example.com"),
        await signedIn(signIn, "ann@example.com"),
      ];
      const bob = await signedIn(signIn, "bob@example.com");
      await signIn.endSessions(bob.account.id, one.session.hash);
      expect(await signIn.session(one.cookie)).toBeDefined();
      await signIn.endSessions(one.account.id, one.session.hash);
      expect(await signIn.session(one.cookie)).toBeUndefined();
      expect(await signIn.session(two.cookie)).toBeDefined();
      await signIn.endSessions(one.account.id);
      expect(await signIn.session(two.cookie)).toBeUndefined();
      expect(await signIn.session(bob.cookie)).toBeDefined();
    });

    test("makes one key of a form that is posted twice, and one of a rotation", async () => {
      const ann = await signedIn(signIn, "ann@example.com");
      const once = drawToken();
      const draft = { env: "live", name: "laptop" } as const;
      const made = await signIn.addKey(ann, once, draft);
      expect(await signIn.addKey(ann, once, draft)).toMatchObject({ key: made.key });
      expect(made.record).toMatchObject({ name: "laptop", env: "live" });
      const form = drawToken();
      const next = await signIn.rotateKey(ann, form, made.record.id, HOUR_MS);
      const again = await signIn.rotateKey(ann, form, made.record.id, HOUR_MS);
      expect(again.key).toBe(next.key);
      expect(next.key).not.toBe(made.key);
      expect(next.record.name).toBe("laptop");
      const keys = await signIn.admin.listKeys(ann.account.id);
      expect(keys.map(({ id }) => id).sort()).toEqual([made.record.id, next.record.id].sort());
      const bob = await signedIn(signIn, "bob@example.com");
      await expect(signIn.revokeKey(bob, made.record.id)).rejects.toMatchObject({
        code: "no_such_key",
      });
    });
  });

  describe("an account", () => {
    const used = async (account: AccountRecord) =>
      (await (await bench().admin()).usageOf(account.id)).allowances[0]!;

    test("that is suspended has no key that holds, until it is resumed", async () => {
      const { account, key, accounts: server } = await served(bench(), "free");
      await callerOf(server, key, bench().nowMs);
      const admin = await bench().admin();
      expect((await admin.suspend(account.id)).suspendedMs).toBe(bench().nowMs);
      await bench().pass(2_000);
      expect(await server.authenticate(bearer(key), bench().nowMs)).toBeUndefined();
      expect((await admin.suspend(account.id)).suspendedMs).toBe(bench().nowMs - 2_000);
      expect((await admin.resume(account.id)).suspendedMs).toBeNull();
      await bench().pass(60_000);
      await callerOf(server, key, bench().nowMs);
      const changes = await admin.listChanges(1, 10);
      expect(changes.map(({ who, what }) => `${who} ${what}`)).toEqual([
        "command suspended",
        "command resumed",
      ]);
    });

    test("moves to another address, unless that has an account", async () => {
      const { account, cookie } = await signedIn(signIn, "ann@example.com");
      await bench().account("free", "bob@example.com");
      const taken = made(await signIn.askAddress(account, "bob@example.com", asking())).token;
      await expect(signIn.changeAddress(taken)).rejects.toMatchObject({ code: "email_taken" });
      const { token } = made(await signIn.askAddress(account, "new@example.com", asking()));
      const moved = await signIn.changeAddress(token);
      expect([moved?.before.email, moved?.after.email]).toEqual([
        "ann@example.com",
        "new@example.com",
      ]);
      expect(await signIn.changeAddress(token), "once").toBeUndefined();
      expect(await signIn.doneBy(token)).toBe("change_address");
      expect((await signIn.session(cookie))?.account.email).toBe("new@example.com");
      await bench().pass(14 * DAY_MS);
      const farmed = await signedIn(signIn, "ann@example.com");
      expect(farmed.account.plan, "its trial has been had").toBe("free");
    });

    test("that is deleted is gone with all that is its, and its sums stay", async () => {
      const signed = await signedIn(signIn, "ann@example.com");
      const { account } = signed;
      const { key } = await signIn.addKey(signed, drawToken(), { env: "live" });
      const server = await bench().server();
      const caller = await callerOf(server, key, bench().nowMs);
      await charge(server, caller, 7, bench().nowMs, "/signals");
      const { token } = made(await signIn.askDeletion(account, asking()));
      expect((await signIn.deleteAccount(token))?.id).toBe(account.id);
      expect(await signIn.doneBy(token), "pressed twice").toBe("delete_account");
      expect(await signIn.session(signed.cookie)).toBeUndefined();
      await bench().pass(2_000);
      expect(await server.authenticate(bearer(key), bench().nowMs)).toBeUndefined();
      const late = charge(server, caller, 1, bench().nowMs, "/signals");
      await expect(late).rejects.toThrow(/is gone|removed/);
      await expect(signIn.admin.findAccount(account.id)).rejects.toMatchObject({
        code: "no_such_account",
      });
      await bench().write(server);
      expect(await signIn.admin.listUsage(undefined, 10, "")).toEqual([
        { accountId: null, createdMs: null, plan: "trial", env: "live", period: "trial", used: 7 },
      ]);
      const changes = await signIn.admin.listChanges(0, 100);
      expect(changes.at(-1)).toMatchObject({ who: "page", what: "deleted", accountId: account.id });
      const left = (await bench().dump()).split(account.id).length - 1;
      expect(left, "the changes alone name it").toBe(changes.length);
    });

    test("that is opened again within 30 days continues its trial and its usage", async () => {
      const signed = await signedIn(signIn, "ann@example.com");
      const { key } = await signIn.addKey(signed, drawToken(), { env: "live" });
      const server = await bench().server();
      await charge(server, await callerOf(server, key, bench().nowMs), 7, bench().nowMs, "/dca");
      await bench().write(server);
      await signIn.admin.deleteAccount(signed.account.id);
      await bench().pass(DAY_MS);
      const again = await signedIn(signIn, "Ann@example.com");
      expect(again.account.id).not.toBe(signed.account.id);
      expect(again.account.trialEndsMs).toBe(signed.account.trialEndsMs);
      expect(await used(again.account)).toMatchObject({ period: "trial", used: 7 });
      await signIn.admin.deleteAccount(again.account.id);
      await bench().pass(31 * DAY_MS);
      const later = await signedIn(signIn, "ann@example.com");
      expect(later.account.trialEndsMs).toBe(bench().nowMs + 14 * DAY_MS);
      expect((await used(later.account)).used).toBe(0);
    });

    test("is listed with what it used, by month from one on", async () => {
      const { account, key, accounts: server } = await served(bench(), "free");
      await charge(server, await callerOf(server, key, bench().nowMs), 3, bench().nowMs, "/dca");
      await bench().write(server);
      const admin = await bench().admin();
      const row = { accountId: account.id, createdMs: account.createdMs, plan: "free" };
      const listed = [{ ...row, env: "live", period: "2026-02", used: 3 }];
      expect(await admin.listUsage(undefined, 10, "")).toEqual(listed);
      expect(await admin.listUsage(undefined, 10, "2026-02")).toEqual(listed);
      expect(await admin.listUsage(undefined, 10, "2026-03")).toEqual([]);
      expect(await admin.listUsage(account, 10, "")).toEqual([]);
    });
  });
}
