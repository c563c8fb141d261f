import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NewAccount } from "../../../../server/accounts/admin.ts";
import { makeKey } from "../../../../server/accounts/keys.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";
import { bearer } from "../../../support/bearer.ts";

let fixture: AccountsFixture;

beforeEach(() => {
  fixture = new AccountsFixture();
});

afterEach(() => fixture.close());

/** More keys than one statement looks up. */
const MANY = 200;

describe("keys that come in one turn", () => {
  test("are each found, or not, among hundreds that nobody has", async () => {
    const admin = fixture.admin();
    const made: NewAccount[] = [];
    for (let n = 0; n < 5; n++) {
      made.push(await admin.createAccount({ email: `a${n}@example.com`, plan: "free" }));
    }
    await admin.revokeKey({ key: made[4]!.key });
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const keys = Array.from({ length: MANY }, (_, n) => made[n / 40]?.key ?? makeKey("live"));
    const found = await Promise.all(
      keys.map(async (key) => accounts.authenticate(bearer(key), now)),
    );
    const expected = keys.map((_, n) => (n < 160 ? made[n / 40]?.account.id : undefined));
    expect(found.map((caller) => caller?.accountId)).toEqual(expected);
  });

  test("are found where they were made since the first of them was looked up", async () => {
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    for (let n = 0; n < 2; n++) {
      expect(accounts.authenticate(bearer(makeKey("live")), now), "at once").toBeUndefined();
    }
    const waiting = accounts.authenticate(bearer(makeKey("live")), now);
    const { key, account } = await fixture.account("free");
    const [caller, again] = [
      accounts.authenticate(bearer(key), now),
      accounts.authenticate(bearer(key), now),
    ];
    expect((await caller)?.accountId).toBe(account.id);
    expect(await again).toBe(await caller);
    expect(await waiting).toBeUndefined();
  });

  test("are answered when the server closes", async () => {
    const { key, account } = await fixture.account("free");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    for (let n = 0; n < 2; n++) void accounts.authenticate(bearer(makeKey("live")), now);
    const caller = accounts.authenticate(bearer(key), now);
    await accounts.close();
    expect((await caller)?.accountId).toBe(account.id);
  });
});
