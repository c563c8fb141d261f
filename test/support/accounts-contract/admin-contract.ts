import { describe, expect, test } from "vitest";
import { isInForce, type AccountRecord } from "../../../accounts/admin.ts";
import { ACTIVE_KEYS_MAX } from "../../../accounts/admin-rules.ts";
import { environmentOf, hashKey } from "../../../accounts/keys.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { tinyPlans } from "../accounts-fixture.ts";
import { benchOfEachTest, DAY_MS, served, type AccountsBench } from "./bench.ts";

const HOUR_MS = 3_600_000;

async function expectRefusal(command: Promise<unknown>, code: string): Promise<void> {
  await expect(command).rejects.toMatchObject({ code });
}

export function adminContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);

  describe("accounts", () => {
    test("are made with a first live key, of which only the hash is stored", async () => {
      const { account, key, record } = await bench().account("trial", "Ann@Example.com");
      expect(account).toEqual({
        id: expect.stringMatching(/^acc_[0-9A-Za-z]{16}$/),
        email: "Ann@Example.com",
        plan: "trial",
        createdMs: bench().nowMs,
        trialEndsMs: bench().nowMs + 14 * DAY_MS,
        suspendedMs: null,
      });
      expect(environmentOf(key)).toBe("live");
      expect(record).toEqual({
        id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
        accountId: account.id,
        name: "",
        env: "live",
        prefix: key.slice(0, 12),
        lastFour: key.slice(-4),
        createdMs: bench().nowMs,
        lastUsedMs: null,
        expiresMs: null,
        revokedMs: null,
      });
      const everything = await bench().dump();
      expect(everything).toContain(hashKey(key));
      expect(everything).not.toContain(key.slice(12, -4));
    });

    test("are one for each e-mail address, whatever its case", async () => {
      const { account } = await bench().account("free", "Ann@Example.com");
      await expect(bench().account("free", "ann@example.COM")).rejects.toMatchObject({
        code: "email_taken",
        message: expect.stringContaining(account.id),
      });
    });

    test("are refused with a bad e-mail address or an unknown plan, and nothing is made", async () => {
      await expectRefusal(bench().account("free", "ann"), "bad_email");
      await expectRefusal(bench().account("gold"), "unknown_plan");
      expect(await (await bench().admin()).listAccounts(undefined, 10)).toEqual([]);
    });

    test("are found by id and by e-mail address", async () => {
      const { account } = await bench().account("free", "Ann@Example.com");
      const admin = await bench().admin();
      expect(await admin.findAccount(account.id)).toEqual(account);
      expect(await admin.findAccount(" ann@example.com ")).toEqual(account);
      await expectRefusal(admin.findAccount("bob@example.com"), "no_such_account");
    });

    test("are listed by age in pages, each once, also those of one instant", async () => {
      const admin = await bench().admin();
      const made: AccountRecord[] = [];
      for (let n = 0; n < 25; n++) {
        if (n % 10 === 0) await bench().pass(1);
        made.push(
          (await admin.createAccount({ email: `u${n}@example.com`, plan: "free" })).account,
        );
      }
      const listed: AccountRecord[] = [];
      let page = await admin.listAccounts(undefined, 4);
      while (page.length > 0) {
        listed.push(...page);
        page = await admin.listAccounts(listed.at(-1), 4);
      }
      const byAge = (a: AccountRecord, b: AccountRecord) =>
        a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1);
      expect(listed).toEqual(made.sort(byAge));
    });

    test("read free once their trial is over", async () => {
      const { account, admin } = await served(bench(), "trial");
      await bench().pass(14 * DAY_MS - 1);
      expect((await admin.findAccount(account.id)).plan).toBe("trial");
      await bench().pass(1);
      expect(await admin.findAccount(account.id)).toMatchObject({
        plan: "free",
        trialEndsMs: null,
      });
      expect((await admin.usageOf(account.id)).allowances[0]).toMatchObject({
        limit: 100,
        period: "2026-02",
      });
    });

    test("can be on a plan of the operator's", async () => {
      const plans = tinyPlans(5);
      const { account } = await bench().account("tiny", "a@example.com", plans);
      expect(await (await bench().admin(plans)).setPlan(account.id, "scale")).toMatchObject({
        plan: "scale",
      });
      await expectRefusal(
        (await bench().admin(BUILT_IN_PLANS)).setPlan(account.id, "tiny"),
        "unknown_plan",
      );
    });
  });

  describe("keys", () => {
    test("are several to an account, listed by age", async () => {
      const { account, record, admin } = await served(bench(), "free");
      await bench().pass(1);
      const second = await admin.createKey(account.id, "test");
      expect(environmentOf(second.key)).toBe("test");
      expect(await admin.listKeys(account.id)).toEqual([record, second.record]);
      await expectRefusal(admin.listKeys("acc_none"), "no_such_account");
      await expectRefusal(admin.createKey("acc_none", "live"), "no_such_account");
    });

    test("are revoked by id or by the key itself, once and for good", async () => {
      const { account, key, record, admin } = await served(bench(), "free");
      const other = await admin.createKey(account.id, "live");
      const atMs = bench().nowMs;
      expect((await admin.revokeKey({ key })).revokedMs).toBe(atMs);
      await bench().pass(HOUR_MS);
      expect((await admin.revokeKey({ id: record.id })).revokedMs, "the first time is kept").toBe(
        atMs,
      );
      expect((await admin.revokeKey({ id: other.record.id })).id).toBe(other.record.id);
      await expectRefusal(admin.revokeKey({ id: "key_none" }), "no_such_key");
    });

    test("end at once when rotated without grace", async () => {
      const { account, key, record } = await bench().account("free");
      const made = await (await bench().admin()).rotateKey({ key }, 0);
      expect(made.replaced).toMatchObject({ id: record.id, revokedMs: bench().nowMs });
      expect(made.record).toMatchObject({ accountId: account.id, env: "live" });
      expect(made.key).not.toBe(key);
    });

    test("end after their grace, which a second rotation does not lengthen", async () => {
      const { record, admin } = await served(bench(), "free");
      const ends = bench().nowMs + HOUR_MS;
      const first = await admin.rotateKey({ id: record.id }, HOUR_MS);
      expect(first.replaced).toMatchObject({ revokedMs: null, expiresMs: ends });
      await bench().pass(HOUR_MS / 2);
      const second = await admin.rotateKey({ id: record.id }, DAY_MS);
      expect(second.replaced.expiresMs).toBe(ends);
      expect(isInForce(second.replaced, ends - 1)).toBe(true);
      expect(isInForce(second.replaced, ends)).toBe(false);
      await bench().pass(HOUR_MS);
      await expectRefusal(admin.rotateKey({ id: record.id }, 0), "key_ended");
    });

    test("are limited in how many are in force", async () => {
      const { account, record } = await bench().account("free");
      const [admin, other] = [await bench().admin(), await bench().admin()];
      const create = (by = admin) => by.createKey(account.id, "live");
      const spare = await create();
      for (let n = 3; n < ACTIVE_KEYS_MAX; n++) await create();
      const last = await Promise.allSettled([create(), create(other)]);
      expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await expectRefusal(create(), "too_many_keys");
      await expectRefusal(admin.rotateKey({ id: record.id }, HOUR_MS), "too_many_keys");
      expect(await admin.listKeys(account.id), "as it was").toContainEqual(record);
      const second = await admin.rotateKey({ id: record.id }, 0);
      await expectRefusal(create(), "too_many_keys");
      await admin.revokeKey({ id: second.record.id });
      await admin.rotateKey({ id: spare.record.id }, HOUR_MS);
      await bench().pass(HOUR_MS - 1);
      await expectRefusal(create(), "too_many_keys");
      await bench().pass(1);
      await create();
      await expectRefusal(create(), "too_many_keys");
    });
  });
}
