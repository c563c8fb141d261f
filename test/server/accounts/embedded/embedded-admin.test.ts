import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccountRecord } from "../../../../server/accounts/admin.ts";
import { ACTIVE_KEYS_MAX, isInForce } from "../../../../server/accounts/embedded/key-table.ts";
import { openStateFile } from "../../../../server/accounts/embedded/state-file.ts";
import { environmentOf, hashKey } from "../../../../server/accounts/keys.ts";
import { AccountsFixture, tinyPlans } from "../../../support/accounts-fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("accounts", () => {
  test("are made with a first live key, of which only the hash is stored", async () => {
    const { account, key, record } = await fixture.account("trial", "Ann@Example.com");
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_[0-9A-Za-z]{16}$/),
      email: "Ann@Example.com",
      plan: "trial",
      createdMs: fixture.clock.wallMs,
      trialEndsMs: fixture.clock.wallMs + 14 * DAY_MS,
    });
    expect(environmentOf(key)).toBe("live");
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
      accountId: account.id,
      env: "live",
      prefix: key.slice(0, 12),
      lastFour: key.slice(-4),
      createdMs: fixture.clock.wallMs,
      lastUsedMs: null,
      expiresMs: null,
      revokedMs: null,
    });
    const db = openStateFile(fixture.file, { busyMs: 0 });
    const everything = JSON.stringify(db.prepare("SELECT * FROM keys").raw().all());
    expect(everything).toContain(hashKey(key));
    expect(everything).not.toContain(key.slice(12, -4));
    db.close();
  });

  test("are one for each e-mail address, whatever its case", async () => {
    const { account } = await fixture.account("free", "Ann@Example.com");
    await expect(fixture.account("free", "ann@example.COM")).rejects.toMatchObject({
      code: "email_taken",
      message: expect.stringContaining(account.id),
    });
  });

  test("are refused with a bad e-mail address or an unknown plan, and nothing is made", async () => {
    await expect(fixture.account("free", "ann")).rejects.toMatchObject({ code: "bad_email" });
    await expect(fixture.account("gold")).rejects.toMatchObject({ code: "unknown_plan" });
    expect(await fixture.admin().listAccounts(undefined, 10)).toEqual([]);
  });

  test("are found by id and by e-mail address", async () => {
    const { account } = await fixture.account("free", "Ann@Example.com");
    const admin = fixture.admin();
    expect(await admin.findAccount(account.id)).toEqual(account);
    expect(await admin.findAccount(" ann@example.com ")).toEqual(account);
    await expect(admin.findAccount("bob@example.com")).rejects.toMatchObject({
      code: "no_such_account",
    });
  });

  test("are listed by age in pages, each once, also those of one instant", async () => {
    const admin = fixture.admin();
    const made: AccountRecord[] = [];
    for (let n = 0; n < 25; n++) {
      if (n % 10 === 0) fixture.clock.pass(1);
      made.push((await admin.createAccount({ email: `u${n}@example.com`, plan: "free" })).account);
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
    const { account } = await fixture.account("trial");
    const admin = fixture.admin();
    fixture.clock.pass(14 * DAY_MS - 1);
    expect((await admin.findAccount(account.id)).plan).toBe("trial");
    fixture.clock.pass(1);
    expect(await admin.findAccount(account.id)).toMatchObject({ plan: "free", trialEndsMs: null });
    expect((await admin.usageOf(account.id)).allowances[0]).toMatchObject({
      limit: 100,
      period: "2026-02",
    });
  });

  test("can be on a plan of the operator's", async () => {
    const plans = tinyPlans(5);
    const { account } = await fixture.account("tiny", "a@example.com", plans);
    expect(await fixture.admin(plans).setPlan(account.id, "scale")).toMatchObject({
      plan: "scale",
    });
    await expect(fixture.admin().setPlan(account.id, "tiny")).rejects.toMatchObject({
      code: "unknown_plan",
    });
  });
});

describe("keys", () => {
  test("are several to an account, listed by age", async () => {
    const { account, record } = await fixture.account("free");
    const admin = fixture.admin();
    fixture.clock.pass(1);
    const second = await admin.createKey(account.id, "test");
    expect(environmentOf(second.key)).toBe("test");
    expect(await admin.listKeys(account.id)).toEqual([record, second.record]);
    await expect(admin.createKey("acc_none", "live")).rejects.toMatchObject({
      code: "no_such_account",
    });
  });

  test("are revoked by id or by the key itself, once and for good", async () => {
    const { account, key, record } = await fixture.account("free");
    const admin = fixture.admin();
    const other = await admin.createKey(account.id, "live");
    const atMs = fixture.clock.wallMs;
    expect((await admin.revokeKey({ key })).revokedMs).toBe(atMs);
    fixture.clock.pass(HOUR_MS);
    expect((await admin.revokeKey({ id: record.id })).revokedMs, "the first time stands").toBe(
      atMs,
    );
    expect((await admin.revokeKey({ id: other.record.id })).id).toBe(other.record.id);
    await expect(admin.revokeKey({ id: "key_none" })).rejects.toMatchObject({
      code: "no_such_key",
    });
  });

  test("end at once when rotated without grace", async () => {
    const { account, key, record } = await fixture.account("free");
    const made = await fixture.admin().rotateKey({ key }, 0);
    expect(made.replaced).toMatchObject({ id: record.id, revokedMs: fixture.clock.wallMs });
    expect(made.record).toMatchObject({ accountId: account.id, env: "live" });
    expect(made.key).not.toBe(key);
  });

  test("end after their grace, which a second rotation does not lengthen", async () => {
    const { record } = await fixture.account("free");
    const admin = fixture.admin();
    const ends = fixture.clock.wallMs + HOUR_MS;
    const first = await admin.rotateKey({ id: record.id }, HOUR_MS);
    expect(first.replaced).toMatchObject({ revokedMs: null, expiresMs: ends });
    fixture.clock.pass(HOUR_MS / 2);
    const second = await admin.rotateKey({ id: record.id }, DAY_MS);
    expect(second.replaced.expiresMs).toBe(ends);
    expect(isInForce(second.replaced, ends - 1)).toBe(true);
    expect(isInForce(second.replaced, ends)).toBe(false);
    fixture.clock.pass(HOUR_MS);
    await expect(admin.rotateKey({ id: record.id }, 0)).rejects.toMatchObject({
      code: "key_ended",
    });
  });

  test("are at most so many in force", async () => {
    const { account, record } = await fixture.account("free");
    const admin = fixture.admin();
    for (let n = 1; n < ACTIVE_KEYS_MAX; n++) await admin.createKey(account.id, "live");
    await expect(admin.createKey(account.id, "live")).rejects.toMatchObject({
      code: "too_many_keys",
    });
    await admin.rotateKey({ id: record.id }, 0);
    await expect(admin.createKey(account.id, "live")).rejects.toMatchObject({
      code: "too_many_keys",
    });
  });
});
