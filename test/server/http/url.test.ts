import { describe, expect, test } from "vitest";
import { DomainError } from "../../../server/http/errors.ts";
import { parseQuery, originOf, normalisedPath } from "../../../server/http/url.ts";
import * as fc from "fast-check";

describe("a query", () => {
  test.each([
    ["", {}],
    ["coin=btc", { coin: "btc" }],
    ["coin=btc&amount=1e3", { coin: "btc", amount: "1e3" }],
    ["coin=b%74c", { coin: "btc" }],
    ["c%6Fin=btc", { coin: "btc" }],
    ["coin=a+b", { coin: "a b" }],
    ["coin=a%2Bb", { coin: "a+b" }],
    ["coin", { coin: "" }],
    ["coin=", { coin: "" }],
    ["=btc", { "": "btc" }],
    ["coin=a=b", { coin: "a=b" }],
    ["&&coin=btc&", { coin: "btc" }],
    ["coin=%E2%82%BF", { coin: "₿" }],
    ["__proto__=x&constructor=y", { ["__proto__"]: "x", constructor: "y" }],
  ])("%j", (query, expected) => {
    expect({ ...parseQuery(query) }).toEqual({ ...expected });
  });

  test.each([
    ["coin=a&coin=b", 'parameter "coin" was given more than once'],
    ["coin=a&coin=a", 'parameter "coin" was given more than once'],
    ["coin=a&c%6Fin=a", 'parameter "coin" was given more than once'],
    ["coin=%zz", "not percent-encoded UTF-8"],
    ["coin=%ff", "not percent-encoded UTF-8"],
    ["coin=%", "not percent-encoded UTF-8"],
    [Array.from({ length: 33 }, (_, n) => `p${n}=1`).join("&"), "more than 32 parameters"],
  ])("%j is refused", (query, message) => {
    expect(() => parseQuery(query)).toThrow(message);
    expect(() => parseQuery(query)).toThrow(DomainError);
  });

  test("that any client encodes comes back as it was", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        names,
        fc.array(fc.string({ unit: "grapheme" }), { minLength: 8, maxLength: 8 }),
        (keys, values) => {
          const pairs = keys.map((key, index): [string, string] => [key, values[index]!]);
          const parsed = parseQuery(new URLSearchParams(pairs).toString());
          expect({ ...parsed }).toEqual(Object.fromEntries(pairs));
        },
      ),
    );
  });

  test("has as many parameters as are taken apart, and no more", () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join("&");
    expect(Object.keys(parseQuery(pairs(32)))).toHaveLength(32);
    expect(() => parseQuery(pairs(33))).toThrow("more than 32 parameters");
  });

  test("of any bytes is parsed or refused, never anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (query) => {
        const refused = (): unknown => {
          try {
            return parseQuery(query) && undefined;
          } catch (error) {
            return error;
          }
        };
        expect(refused() ?? new DomainError("not_found", "none")).toBeInstanceOf(DomainError);
      }),
    );
  });
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["data.example", "http://data.example:8080"],
  ["::1", "http://[::1]:8080"],
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["::", "http://[::1]:8080"],
])("a server that listens on %s is found at %s", (host, origin) => {
  expect(originOf(host, 8080)).toBe(origin);
});

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
