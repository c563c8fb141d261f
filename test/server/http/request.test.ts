import { describe, expect, test } from "vitest";
import { HttpRequest, isRequestId, requestIds } from "../../../server/http/request.ts";

function requestWith(...headers: readonly (readonly [name: string, value: string])[]): HttpRequest {
  const request = new HttpRequest();
  for (const [name, value] of headers) request.addHeader(name, value);
  return request;
}

describe("a header that is a list", () => {
  test.each([
    ["accept-encoding", "acceptEncoding"],
    ["if-none-match", "ifNoneMatch"],
    ["content-encoding", "contentEncoding"],
  ] as const)("means the same on several lines as on one: %s", (name, member) => {
    expect(requestWith([name, "a"], [name, "b"])[member]).toBe("a, b");
    expect(requestWith([name, ""], [name, "b"])[member]).toBe("b");
  });
});

test.each([
  ["authorization", "authorizationCount"],
  ["host", "hostCount"],
  ["content-length", "contentLengthCount"],
  ["transfer-encoding", "transferEncodingCount"],
  ["idempotency-key", "idempotencyKeyCount"],
] as const)("it is counted how often a header came that may come once: %s", (name, member) => {
  expect(requestWith()[member]).toBe(0);
  expect(requestWith([name, ""])[member], "also an empty one").toBe(1);
  expect(requestWith([name, "a"], [name, "a"])[member]).toBe(2);
});

test.each([
  [["keep-alive"], false, false],
  [["close"], true, true],
  [["Close"], true, true],
  [["keep-alive, close"], true, false],
  [["close, te"], true, false],
  [["close", "te"], true, true],
  [["keep-alive", "close", "te"], true, false],
  [["closed"], false, false],
  [["keep-alive", "close"], true, false],
  [["close", "keep-alive"], true, true],
])("Connection: %j asks for the end: %s, in words the library sees: %s", (lines, wants, itself) => {
  const request = requestWith(...lines.map((value) => ["connection", value] as const));
  expect([request.wantsClose, request.closesByItself]).toEqual([wants, itself]);
});

test("ids of 1 to 64 letters, digits, - and _ are kept", () => {
  for (const sent of ["a", "A-b_9", "x".repeat(64)]) expect(isRequestId(sent)).toBe(true);
  for (const sent of ["", "x".repeat(65), "a b", "a\r\nSet-Cookie: x", "ä", "a,b", 'a"']) {
    expect(isRequestId(sent)).toBe(false);
  }
});

test("ids of our own differ, are ids, and begin alike within a process only", () => {
  const [one, other] = [requestIds(), requestIds()];
  const made = Array.from({ length: 1000 }, one);
  made.push(other());
  expect(new Set(made).size).toBe(made.length);
  expect(made.every(isRequestId)).toBe(true);
});
