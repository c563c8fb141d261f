import { constants } from "node:os";
import { expect, test } from "vitest";
import { systemCodeOf } from "../../snapshots/system-code.ts";

test.each([
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
])("a write that DuckDB was refused with %s is %s", (words, code) => {
  const write = `Could not write file "hindsight.duckdb": ${words}`;
  const message = `IO Error: Checkpoint failed, due to error: ${write}`;
  expect(systemCodeOf(new Error(message))).toBe(code);
});

test("a force to the disk that DuckDB was refused is EIO, whatever the reason", () => {
  expect(systemCodeOf(new Error("FATAL Error: fsync failed!"))).toBe("EIO");
});

test("other errors of DuckDB have no code", () => {
  expect(systemCodeOf(new Error("Binder Error: no such table"))).toBeUndefined();
});

test("errors of Node have their own, and that for a quota, which Node has no name for", () => {
  const byCode = Object.assign(new Error("write"), { code: "EIO" });
  expect(systemCodeOf(byCode)).toBe("EIO");
  const unknown = { errno: -constants.errno.EDQUOT, code: "Unknown system error -122" };
  expect(systemCodeOf(Object.assign(new Error("write"), unknown))).toBe("EDQUOT");
});

test.each([
  ["Device or resource busy", "EBUSY"],
  ["Read-only file system", "EROFS"],
  ["Stale file handle", "ESTALE"],
])("a removal that Node 24 was refused with %s, and no code, is %s", (words, code) => {
  const message = `, Unknown error: ${words} '/data/aside'`;
  const refusal = { errno: -4094, code: "", syscall: "rm" };
  expect(systemCodeOf(Object.assign(new Error(message), refusal))).toBe(code);
});
