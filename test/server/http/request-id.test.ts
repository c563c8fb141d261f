import { expect, test } from "vitest";
import { requestIds } from "../../../server/http/request-id.ts";

test("ids of 1 to 64 letters, digits, - and _ are kept", () => {
  const idOf = requestIds("p");
  for (const sent of ["a", "A-b_9", "x".repeat(64)]) expect(idOf(sent)).toBe(sent);
});

test("anything else is replaced by an id of our own, each time another", () => {
  const idOf = requestIds();
  const sent = ["", "x".repeat(65), "a b", "a\r\nSet-Cookie: x", "ä", "a,b", 'a"'];
  const made = sent.map(idOf);
  for (const id of made) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(new Set(made).size).toBe(sent.length);
});
