import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databaseAt, loadDriver, withSteadyStatements } from "../../../accounts/sqlite/driver.ts";
import {
  fileBehindLinks,
  inTransaction,
  openStateFile,
  type Connection,
} from "../../../accounts/sqlite/state-file.ts";
import { AccountsFixture } from "../../support/accounts-fixture.ts";
import { refuseReads } from "../../support/refused-files.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

const modeOf = (file: string) => statSync(file).mode & 0o777;
const open = (file = fixture.file) => openStateFile(file);

/** The value of a pragma. The method `pragma` of libsql adds timings to it. */
function pragma(db: Connection, name: string): unknown {
  const [value] = db.prepare(`PRAGMA ${name}`).raw().get() as unknown[];
  return value;
}

/** The error that refuses a file, or undefined if it opens. */
function refusalOf(file: string): unknown {
  try {
    open(file).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the state file", () => {
  test("is made with its folder and side files for the owner only", () => {
    const owned = open();
    owned.db.exec("UPDATE queue SET turn = 1");
    expect(modeOf(dirname(fixture.file))).toBe(0o700);
    for (const suffix of ["", "-wal", "-shm", "-owner"]) {
      expect(modeOf(fixture.file + suffix)).toBe(0o600);
    }
    owned.close();
  });

  test("is closed to others where it was open to them", () => {
    open().close();
    chmodSync(fixture.file, 0o644);
    open().close();
    expect(modeOf(fixture.file)).toBe(0o600);
  });

  test("leaves an existing folder unchanged", () => {
    const folder = join(fixture.folder, "shared");
    mkdirSync(folder);
    chmodSync(folder, 0o755); // whatever the umask leaves of it
    open(join(folder, "a.db")).close();
    expect(modeOf(folder)).toBe(0o755);
  });

  test("is in WAL mode with commits handed to the system, and waits for no lock", () => {
    const { db, close } = open();
    expect(pragma(db, "journal_mode")).toBe("wal");
    expect(pragma(db, "synchronous")).toBe(1);
    expect(pragma(db, "wal_autocheckpoint")).toBe(0);
    expect(pragma(db, "busy_timeout")).toBe(0);
    close();
  });

  test("opens again as it was left", () => {
    const owned = open();
    owned.db.exec("UPDATE queue SET turn = 77");
    owned.close();
    const again = open();
    expect(again.db.prepare("SELECT turn FROM queue").raw().get()).toEqual([77]);
    again.close();
  });

  test("is refused in words when a build before 1.0.0 wrote it, by its tables or its meters", () => {
    const owned = open();
    owned.db.exec("PRAGMA user_version = 5");
    owned.close();
    const refusal = {
      code: "former_state",
      message: expect.stringContaining("before 1.0.0") as string,
    };
    expect(refusalOf(fixture.file)).toMatchObject(refusal);
    const other = join(fixture.folder, "other.db");
    writeFileSync(`${other}-meters`, "");
    expect(refusalOf(other)).toMatchObject(refusal);
    expect(existsSync(other)).toBe(false);
  });

  test("is upgraded as it is opened when the version before this one wrote it, and keeps what it has", async () => {
    const made = await fixture.account("developer");
    const file = new Database(fixture.file);
    const added = [
      "secrets",
      "links",
      "sessions",
      "audit",
      "former",
      "former_usage",
      "tried_sets",
      "shares",
    ];
    for (const table of added) file.exec(`DROP TABLE ${table}`);
    for (const column of ["kind", "endpoint", "scope", "tried", "known"])
      file.exec(`ALTER TABLE jobs DROP COLUMN ${column}`);
    file.exec(
      `INSERT INTO jobs (id, account_id, env, status, request, snapshot_id, attribution, turn, units, period, created_ms)
      VALUES (7, '${made.account.id}', 'live', 'done', '{}', 's', '{}', 1, 10, 'p', 5)`,
    );
    file.exec(
      "DROP INDEX jobs_by_account; ALTER TABLE accounts DROP COLUMN suspended_ms; ALTER TABLE keys DROP COLUMN name; PRAGMA user_version = 10",
    );
    file.close();
    const state = await fixture.state();
    expect(await state.admin.findAccount("ann@example.com")).toEqual(made.account);
    expect(await state.admin.listKeys(made.account.id)).toEqual([made.record]);
    await state.admin.suspend(made.account.id);
    expect(await state.admin.listChanges(0, 10)).toHaveLength(1);
    await fixture.closeState();
    expect(fixture.rows("PRAGMA user_version")).toEqual([[11]]);
    expect(fixture.rows("SELECT id, kind, endpoint, known FROM jobs")).toEqual([
      [7, "backtest", "/backtests", null],
    ]);
    const columns = (table: string) =>
      fixture.rows(`SELECT name FROM pragma_table_info('${table}')`).flat();
    expect([columns("accounts").at(-1), columns("keys").at(-1)]).toEqual(["suspended_ms", "name"]);
  });

  test("gets the shares of links that the first builds of this version did not have", () => {
    const first = open();
    first.db.exec("DROP TABLE shares; ALTER TABLE links ADD COLUMN network TEXT");
    first.close();
    const again = open();
    expect(again.db.prepare("SELECT count(*) FROM shares").raw().get()).toEqual([0]);
    expect(() => again.db.exec("SELECT network FROM links")).toThrow(/no such column/);
    again.close();
  });

  test("is refused when a newer Hindsight wrote it", () => {
    const owned = open();
    owned.db.exec("PRAGMA user_version = 999");
    owned.close();
    expect(refusalOf(fixture.file)).toMatchObject({
      code: "not_a_state_file",
      message: expect.stringMatching(/written by a newer Hindsight \(its version is 999/),
    });
  });

  test("is refused when it is another program's database, which stays as it was", () => {
    const file = join(fixture.folder, "other.db");
    const other = new Database(file);
    other.exec("CREATE TABLE things (id INTEGER)");
    other.close();
    const before = readFileSync(file);
    expect(refusalOf(file)).toMatchObject({
      code: "not_a_state_file",
      message: expect.stringMatching(/"[^"]*other\.db" is not a Hindsight state file$/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("is refused when it is no database at all", () => {
    const file = join(fixture.folder, "notes.txt");
    writeFileSync(file, "dear diary, ".repeat(500));
    expect(refusalOf(file)).toMatchObject({
      code: "not_a_state_file",
      message: expect.stringMatching(/is not a Hindsight state file$/),
    });
  });

  test("is refused when it was cut off, and stays as it was", async () => {
    const { db, close } = open();
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    close();
    truncateSync(fixture.file, 5_000);
    await expect(fixture.state()).rejects.toThrow(/damaged or was cut off/);
    expect(statSync(fixture.file).size).toBe(5_000);
  });

  test("is refused in words where it is a folder", () => {
    expect(() => open(fixture.folder)).toThrow(`"${fixture.folder}" is a folder, not a state file`);
  });

  test("is refused in words where it cannot be opened", async () => {
    const file = join(fixture.folder, "socket");
    const socket = createServer().listen(file); // cannot be opened as a file
    await once(socket, "listening");
    expect(() => open(file)).toThrow(
      `cannot open the state file "${file}": unable to open database file: it and its folder must be there to be read and written`,
    );
    socket.close();
  });

  test("is not made where it must exist", () => {
    expect(() => openStateFile(fixture.file, { mustExist: true })).toThrow(
      expect.objectContaining({ code: "no_state_file" }),
    );
    expect(existsSync(fixture.file)).toBe(false);
  });
});

describe("a state file that is named by a symbolic link", () => {
  let link: string;
  beforeEach(() => {
    link = join(fixture.folder, "links", "linked.db");
    mkdirSync(dirname(link));
    symlinkSync("../state/hindsight.db", link);
  });

  test("is owned, looked after and counted in by its own name", async () => {
    const { key } = await fixture.account("startup");
    const linked = fixture.open({ file: link });
    expect(existsSync(`${fixture.file}-owner`)).toBe(true);
    expect(await fixture.chargeCalls(linked, key, 1)).toBe(1);
    await linked.round();
    expect(readdirSync(dirname(link)), "everything is beside the file").toEqual(["linked.db"]);
    await fixture.closeState();
    expect(await fixture.chargeCalls(await fixture.state(), key, 1)).toBe(2);
  });

  test("is made where the link leads to, through another link too", () => {
    mkdirSync(dirname(fixture.file));
    const again = join(fixture.folder, "again.db");
    symlinkSync(link, again);
    const owned = open(again);
    expect(owned.file).toBe(fixture.file);
    owned.close();
    expect(fileBehindLinks(fixture.file), "no link").toBe(fixture.file);
  });

  test("is refused in words where links lead round in a circle", () => {
    const circle = join(fixture.folder, "circle.db");
    symlinkSync(circle, circle);
    expect(() => open(circle)).toThrow(`cannot open the state file "${circle}"`);
  });
});

describe("a transaction", () => {
  test("leaves nothing behind when its work fails", () => {
    const { db, close } = open();
    const failing = () =>
      inTransaction(db, () => {
        db.exec("UPDATE queue SET turn = 5");
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(db.inTransaction).toBe(false);
    expect(db.prepare("SELECT turn FROM queue").raw().get()).toEqual([0]);
    close();
  });
});

describe("a read that the disk refuses", () => {
  let closing = () => {};
  afterEach(() => closing());

  /** Two connections to a table of 200 rows, in the log or in the file itself. */
  function openTable(part: string): { writer: Connection; reader: Connection } {
    const owned = open();
    const writer = owned.db;
    const Driver = loadDriver();
    const reader = withSteadyStatements(new Driver(databaseAt(fixture.file)));
    closing = () => {
      reader.close();
      owned.close();
    };
    writer.exec("CREATE TABLE facts (id INTEGER PRIMARY KEY, text TEXT)");
    const insert = writer.prepare("INSERT INTO facts VALUES (?, ?)");
    for (let id = 1; id <= 200; id++) insert.run(id, "x".repeat(300));
    if (part === "") writer.exec("PRAGMA wal_checkpoint(RESTART)");
    return { writer, reader };
  }

  test.each(["-wal", ""])(
    'fails, and is done when it is asked again (of the file "%s")',
    (part) => {
      const { reader } = openTable(part);
      const find = reader.prepare("SELECT id FROM facts WHERE id = ?").raw();
      const goOn = refuseReads(fixture.file + part);
      expect(() => find.get(100)).toThrow("disk I/O error");
      goOn();
      expect(find.get(100)).toEqual([100]);
    },
  );

  test("leaves the statement free for other values, which it then finds and writes", () => {
    const { writer, reader } = openTable("-wal");
    const find = reader.prepare("SELECT id FROM facts WHERE id = ?").raw();
    const change = reader.prepare("UPDATE facts SET text = ? WHERE id = ?");
    const list = reader.prepare("SELECT id FROM facts WHERE id > ? ORDER BY id LIMIT 1").raw();
    const goOn = refuseReads(`${fixture.file}-wal`);
    expect(() => find.get(100)).toThrow("disk I/O error");
    expect(() => change.run("a", 100)).toThrow("disk I/O error");
    expect(() => list.all(100)).toThrow("disk I/O error");
    goOn();
    expect(find.get(150)).toEqual([150]);
    expect(change.run("b", 150).changes).toBe(1);
    expect(list.all(150)).toEqual([[151]]);
    const texts = writer.prepare("SELECT id FROM facts WHERE text IN ('a', 'b')").raw();
    expect(texts.all()).toEqual([[150]]);
  });
});
