import { describe, expect, test } from "vitest";
import { addressFault, isRedisAddress, shownAddress } from "../../../accounts/redis/address.ts";

describe("the address of a Redis", () => {
  test.each(["redis://localhost", "rediss://:secret@10.0.0.5:6380/2", "REDIS://user:a%2Fb@host/0"])(
    "may be %s",
    (address) => {
      expect(isRedisAddress(address)).toBe(true);
      expect(addressFault(address)).toBeUndefined();
    },
  );

  test.each([
    ["redis://", /host/],
    ["redis://host:99999", /host/],
    ["redis://host/name", /number of a database/],
    ["redis://host/0?x=1", /no \?/],
    ["http://host", /redis:\/\//],
  ])("may not be %s", (address, fault) => {
    expect(addressFault(address)).toMatch(fault);
  });

  test("is distinguished from the path of a file", () => {
    for (const file of ["state/hindsight.db", "/var/lib/redis.db", "redis.db"]) {
      expect(isRedisAddress(file)).toBe(false);
    }
  });

  test("is shown without user and password", () => {
    expect(shownAddress("redis://user:secret@host/1")).toBe("redis://host:6379/1");
    expect(shownAddress("rediss://:secret@host:7000")).toBe("rediss://host:7000");
  });
});
