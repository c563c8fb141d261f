import { expect, test } from "vitest";
import { originOf } from "../../../server/http/origin.ts";

test.each([
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["data.example", "http://data.example:8080"],
  ["::1", "http://[::1]:8080"],
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["::", "http://[::1]:8080"],
])("a server that listens on %s is found at %s", (host, origin) => {
  expect(originOf(host, 8080)).toBe(origin);
});
