import { expect, test } from "vitest";
import { matchesEtag } from "../../../server/http/conditional.ts";

const ETAG = 'W/"2022-06-18T/dca?coin=btc&amount=100"';

test.each([
  [ETAG, true],
  ['"2022-06-18T/dca?coin=btc&amount=100"', true],
  [`"other", ${ETAG}`, true],
  [`${ETAG},"other"`, true],
  ["*", true],
  [" * ", true],
  ["", false],
  ['W/"other"', false],
  ['"2022-06-18T/dca?coin=btc&amount=1000"', false],
  ["2022-06-18T/dca?coin=btc&amount=100", false],
  ['W/"2022-06-18T/dca?coin=btc&amount=100', false],
])("%j matches: %s", (ifNoneMatch, expected) => {
  expect(matchesEtag(ifNoneMatch, ETAG)).toBe(expected);
});
