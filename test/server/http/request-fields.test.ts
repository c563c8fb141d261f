import { expect, test } from "vitest";
import { acceptsGzip, matchesEtag } from "../../../server/http/request-fields.ts";

test.each([
  ["gzip", true],
  ["GZIP", true],
  ["x-gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["deflate,gzip;q=0.5", true],
  ["gzip;q=1.0, identity; q=0.5, *;q=0", true],
  ["*", true],
  ["*;q=0.1", true],
  ["br, *;q=0.1", true],
  ["gzip ; q=0.001", true],
  ["identity;q=0.5, gzip;q=0.5", true],
  ["identity, gzip", true],
  ["gzip;q=1, identity", true],
  ["gzip;level=9;q=1", true],
  ["gzip;level=9;q=0", false],
  ["", false],
  ["identity", false],
  ["br", false],
  ["gzip;q=0", false],
  ["gzip;q=0.000", false],
  ["*;q=0", false],
  ["gzip;q=0, *", false],
  ["identity;q=1, gzip;q=0.5", false],
  ["gzip;q=nonsense", false],
  ["gzip;q=2", false],
  ["gzipped", false],
  [`gzip${", br".repeat(255)}`, true],
  [`gzip${", br".repeat(256)}`, false], // too long to be read
])("%j asks for gzip: %s", (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
  expect(acceptsGzip(header), "the second time, remembered").toBe(expected);
});

test("a flood of different headers does not confuse it", () => {
  for (let n = 0; n < 1000; n++) expect(acceptsGzip(`gzip;q=0.${n}x`)).toBe(false);
  expect(acceptsGzip("gzip, deflate, br, zstd")).toBe(true);
});

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
