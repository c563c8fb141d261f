import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { networkDiskOf } from "../../accounts/network-disk.ts";

test.each([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  // The same, on systems that give it as a signed number.
  [-0xacb2be, "CIFS"],
  [0xef53, undefined], // ext4
  [0x01021994, undefined], // tmpfs
])("the file system %d is %s", (type, name) => {
  expect(networkDiskOf("/", () => type)).toBe(name);
});

test("this machine's own temporary folder can be asked", () => {
  expect(() => networkDiskOf(tmpdir())).not.toThrow();
});
