import Database from "libsql";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HashFilter } from "../../../../server/accounts/sqlite/hash-filter.ts";
import { KeyFilter } from "../../../../server/accounts/sqlite/key-filter.ts";
import { hashKey, makeKey } from "../../../../server/accounts/keys.ts";
import { AccountsFixture, callerSoon } from "../../../support/accounts-fixture.ts";
import { bearer } from "../../../support/bearer.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

let drawn = 0;

/** This many hashes, different from those of earlier calls. */
function hashes(count: number): string[] {
  return Array.from({ length: count }, () => hashKey(`number ${drawn++}`));
}

/**
 * Inserts rows of one account, more than any command makes: in a file that no server has open, or as changes
 * to it.
 */
function insertKeys(made: readonly string[]): void {
  const db = new Database(fixture.file);
  db.exec("PRAGMA foreign_keys = OFF");
  db.prepare(
    `INSERT INTO keys (hash, id, account_id, env, prefix, last_four, created_ms)
     SELECT value, 'key_' || substr(value, 1, 20), 'acc_of_many', 'live', 'hs_live_0000', '0000', 0 FROM json_each(?)`,
  ).run(JSON.stringify(made));
  db.close();
}

async function filled(filter: KeyFilter): Promise<KeyFilter> {
  while (!filter.isFilled) await sleep(1);
  return filter;
}

describe("the filter of hashes", () => {
  test("holds all that was added, and little else up to its capacity", () => {
    const filter = new HashFilter(10_000);
    const [added, others] = [hashes(filter.capacity), hashes(10_000)];
    for (const hash of added) filter.add(hash);
    expect(added.filter((hash) => !filter.mayHold(hash))).toEqual([]);
    expect(filter.isCrowded).toBe(false);
    const wrong = others.filter((hash) => filter.mayHold(hash)).length;
    expect(wrong / others.length).toBeLessThan(0.005); // (1 - e^(-4/16))^4 is 0.0024
    filter.add(others[0]!);
    expect(filter.isCrowded).toBe(true);
  });
});

describe("the filter of keys", () => {
  test("takes everything for a key until it is filled, in pieces, and then nearly nothing but keys", async () => {
    await fixture.account("free");
    const [known, unknown] = [hashes(25_000), hashes(1_000)];
    insertKeys(known);
    const db = new Database(fixture.file);
    const filter = new KeyFilter(db);
    expect(unknown.every((hash) => filter.mayBeKey(hash))).toBe(true);
    await sleep(1);
    expect(filter.isFilled, "that many do not come at once").toBe(false);
    await filled(filter);
    expect(known.filter((hash) => !filter.mayBeKey(hash))).toEqual([]);
    expect(unknown.filter((hash) => filter.mayBeKey(hash)).length).toBeLessThan(20);
    db.close();
  });

  test("has keys that are made while it fills, and fills again with more room when it is crowded", async () => {
    await fixture.account("free");
    const before = hashes(3_000);
    insertKeys(before);
    const db = new Database(fixture.file);
    const filter = new KeyFilter(db);
    const first = hashes(200);
    insertKeys(first);
    filter.addKeysOf("acc_of_many");
    await filled(filter);
    const later = hashes(12_000);
    insertKeys(later);
    filter.addKeysOf("acc_of_many");
    expect(filter.isFilled).toBe(false);
    await filled(filter);
    const all = [...before, ...first, ...later];
    expect(all.filter((hash) => !filter.mayBeKey(hash))).toEqual([]);
    expect(hashes(1_000).filter((hash) => filter.mayBeKey(hash)).length).toBeLessThan(20);
    filter.stop();
    db.close();
  });
});

describe("a server whose filter is filled", () => {
  async function filledServer() {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    // From the third of a turn on, look-ups wait for its end, so an immediate answer comes from the filter.
    const isFilled = () =>
      [1, 2, 3, 4].every(() => accounts.authenticate(bearer(makeKey("live")), now) === undefined);
    while (!isFilled()) await sleep(1);
    await callerSoon(accounts, key, now);
    return accounts;
  }

  test("refuses unknown keys at once, however many come", async () => {
    const accounts = await filledServer();
    const answers = Array.from({ length: 2_000 }, () =>
      accounts.authenticate(bearer(makeKey("live")), fixture.clock.wallMs),
    );
    expect(answers.filter((answer) => answer !== undefined).length).toBeLessThan(20);
  });

  test("knows a key the moment it is shown, although its clock stands still", async () => {
    const accounts = await filledServer();
    const admin = fixture.admin();
    const made = await admin.createAccount({ email: "new@example.com", plan: "free" });
    const { accountId } = await callerSoon(accounts, made.key, fixture.clock.wallMs);
    expect(accountId).toBe(made.account.id);
    const second = await admin.createKey(accountId, "live");
    expect((await callerSoon(accounts, second.key, fixture.clock.wallMs)).accountId).toBe(
      accountId,
    );
    const rotated = await admin.rotateKey({ key: second.key }, 60_000);
    expect((await callerSoon(accounts, rotated.key, fixture.clock.wallMs)).accountId).toBe(
      accountId,
    );
    expect((await callerSoon(accounts, second.key, fixture.clock.wallMs)).accountId).toBe(
      accountId,
    );
  });

  test("also of a process that was killed before it said so, once another key is made", async () => {
    const accounts = await filledServer();
    const admin = fixture.admin();
    const { account } = await admin.createAccount({ email: "new@example.com", plan: "free" });
    const silent = makeKey("live");
    const db = new Database(fixture.file);
    db.exec("BEGIN");
    db.prepare(
      `INSERT INTO keys (hash, id, account_id, env, prefix, last_four, created_ms)
       VALUES (?, 'key_silent', ?, 'live', '', '', 0)`,
    ).run(hashKey(silent), account.id);
    db.exec("UPDATE store SET revision = revision + 1");
    db.exec(
      `UPDATE accounts SET revision = (SELECT revision FROM store) WHERE id = '${account.id}'`,
    );
    db.exec("COMMIT");
    db.close();
    await admin.createAccount({ email: "other@example.com", plan: "free" });
    expect((await callerSoon(accounts, silent, fixture.clock.wallMs)).accountId).toBe(account.id);
  });

  test("sees by the revision what a writer that knows no counter makes", async () => {
    const accounts = await filledServer();
    const now = fixture.clock.wallMs;
    const made = hashes(1_200);
    const silent = makeKey("live");
    const { account } = await fixture
      .admin()
      .createAccount({ email: "n@example.com", plan: "free" });
    insertKeys([...made, hashKey(silent)]);
    const db = new Database(fixture.file);
    db.exec(`UPDATE keys SET account_id = '${account.id}' WHERE account_id = 'acc_of_many'`);
    db.exec("UPDATE store SET revision = revision + 1");
    db.exec(
      `UPDATE accounts SET revision = (SELECT revision FROM store) WHERE id = '${account.id}'`,
    );
    db.close();
    fixture.clock.pass(10);
    expect((await callerSoon(accounts, silent, now)).accountId).toBe(account.id);
  });
});
