import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keyOfLink, signedQuery } from "../../../server/requests/table-links.ts";

const SECRET = "a secret of the tests";
const SNAPSHOT = "2025-06-30T20250701T001000000Z-0e5a1b2c3d4f";
const NOW_MS = 1_800_000_000_000;
const LINK = { snapshot: SNAPSHOT, file: "prices.parquet", until: 1_800_000_060, keyId: "key_1" };
const QUERY = signedQuery(SECRET, LINK);

const opened = (query: string, changed: object = {}, nowMs = NOW_MS) =>
  keyOfLink(SECRET, { ...LINK, ...changed, query }, nowMs);

test("a link has the HMAC-SHA-256 of its parts (RFC 2104), computed here by hand", () => {
  const text = `table-link\n${SNAPSHOT}\nprices.parquet\n1800000060\nkey_1`;
  const signature = createHmac("sha256", SECRET).update(text).digest("base64url");
  expect(QUERY).toBe(`until=1800000060&key=key_1&signature=${signature}`);
  expect(opened(QUERY)).toBe("key_1");
});

test("works until its second, and says then where another is", () => {
  expect(opened(QUERY, {}, 1_800_000_059_999)).toBe("key_1");
  expect(() => opened(QUERY, {}, 1_800_000_060_000)).toThrow("GET /v1/snapshots");
});

test("a query without a link is none", () => {
  expect(opened("")).toBeUndefined();
  expect(opened("other=1")).toBeUndefined();
});

describe("opens nothing", () => {
  test.each([
    ["of another file", QUERY, { file: "dataset.parquet" }],
    ["of another snapshot", QUERY, { snapshot: SNAPSHOT.replace("0e5a", "0e5b") }],
    ["whose parts moved", QUERY, { snapshot: `${SNAPSHOT}\nprices.parquet`, file: "" }],
    ["with a later end", QUERY.replace("until=18", "until=28"), {}],
    ["with its end written otherwise", QUERY.replace("until=18", "until=018"), {}],
    ["with an end in words", QUERY.replace("until=1800000060", "until=1800000060.0"), {}],
    ["of another key", QUERY.replace("key_1", "key_2"), {}],
    ["without a signature", QUERY.replace(/&signature=.*/, ""), {}],
    ["with half a signature", QUERY.slice(0, -20), {}],
    ["with padding", `${QUERY}%3D`, {}],
    ["with a part more", `${QUERY}&hours=1`, {}],
    ["of another secret", signedQuery("another secret", LINK), {}],
  ])("%s", (_name, query, changed) => {
    expect(() => opened(query, changed)).toThrow("altered");
  });

  test("with any one character of its query changed", () => {
    const faults = Array.from(QUERY).flatMap((character, at) => {
      const other = character === "A" ? "B" : "A";
      const query = QUERY.slice(0, at) + other + QUERY.slice(at + 1);
      try {
        return opened(query) === undefined ? [] : [query];
      } catch {
        return [];
      }
    });
    // The last of 43 characters of base64url has 2 bits more than 32 bytes; they are compared all the same.
    expect(faults).toEqual([]);
  });
});
