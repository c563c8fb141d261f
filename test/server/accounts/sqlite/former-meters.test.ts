import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HEADER, METERS, SEAT_LOCK_BYTE } from "../../../../server/accounts/sqlite/meter-layout.ts";
import { APPLICATION_ID, MIGRATIONS } from "../../../../server/accounts/sqlite/schema.ts";
import { tryLockByte, unlockByte } from "../../../../server/accounts/sqlite/shared-memory.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";

const HEADER_WORDS = 16_384;
const CHUNK_WORDS = 1_024 * 192;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

const metersFile = () => `${fixture.file}-meters`;

/** A file of two chunks, as earlier versions of Hindsight made it. */
function putFormer(changed: Readonly<Record<number, number>> = {}): void {
  const words = new Int32Array(HEADER_WORDS + 2 * CHUNK_WORDS);
  words[HEADER.magic] = METERS.magic;
  words[HEADER.version] = 1;
  words[HEADER.adopted] = 1;
  for (const [at, bits] of Object.entries(changed)) words[HEADER_WORDS + Number(at)] = bits;
  writeFileSync(metersFile(), Buffer.from(words.buffer));
}

test("a meter file of the former layout whose counts the state file has makes room for a new one", async () => {
  const { key } = await fixture.account("developer");
  const first = fixture.server();
  await fixture.chargeCalls(first, key, 4);
  await first.close();
  putFormer();
  const second = fixture.server();
  expect(await fixture.chargeCalls(second, key, 2)).toBe(6);
});

test.each([0, 31, CHUNK_WORDS + 5])(
  "one with counts of its own is refused, and left as it is (word %d)",
  async (word) => {
    await fixture.account("developer");
    putFormer({ [word]: 1 << 9 });
    for (let time = 0; time < 2; time++) {
      expect(() => fixture.server()).toThrow("has not ended in order");
    }
  },
);

test("one that another process has open is refused", async () => {
  const { key } = await fixture.account("developer");
  await fixture.server().close();
  putFormer();
  const fd = openSync(metersFile(), "r+");
  expect(tryLockByte(fd, SEAT_LOCK_BYTE + 3)).toBe(true);
  expect(() => fixture.server()).toThrow("has not ended in order");
  unlockByte(fd, SEAT_LOCK_BYTE + 3);
  closeSync(fd);
  expect(await fixture.chargeCalls(fixture.server(), key, 1)).toBe(1);
});

/** The tables that the state file had beside meter files of the former layout. */
const FORMER_TABLES = 3;

function stateVersion(): unknown {
  const db = new Database(fixture.file, { readonly: true });
  const version = db.prepare("PRAGMA user_version").raw().get();
  db.close();
  return version;
}

test("while one holds counts of its own, the state file stays as the earlier version knows it", async () => {
  mkdirSync(dirname(fixture.file));
  const db = new Database(fixture.file);
  for (const migration of MIGRATIONS.slice(0, FORMER_TABLES)) db.exec(migration);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMER_TABLES}`);
  db.close();
  putFormer({ 7: 1 });
  for (const open of [() => fixture.server(), () => fixture.admin()]) {
    expect(open).toThrow("has not ended in order");
    expect(stateVersion()).toEqual([FORMER_TABLES]);
  }
  putFormer();
  fixture.server();
  expect(stateVersion()).toEqual([MIGRATIONS.length]);
});
