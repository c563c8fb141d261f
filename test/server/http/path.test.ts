import { expect, test } from "vitest";
import { normalisedPath } from "../../../server/http/path.ts";

test.each([
  ["/v1/signals", "/v1/signals"],
  ["/v1/%73ignals", "/v1/signals"],
  ["/v1/buy%2Dhold", "/v1/buy-hold"],
  ["/v1/buy%2dhold", "/v1/buy-hold"],
  ["/v1%2Fsignals", "/v1%2Fsignals"],
  ["/v1/signals%00", "/v1/signals%00"],
  ["/v1/%zz", "/v1/%zz"],
  ["/v1/%", "/v1/%"],
  ["/v1/%2573ignals", "/v1/%2573ignals"],
  ["/v1/signals/", "/v1/signals/"],
  ["/V1/signals", "/V1/signals"],
])("%s is %s", (sent, expected) => {
  expect(normalisedPath(sent)).toBe(expected);
});
