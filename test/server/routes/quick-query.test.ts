import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { DomainError } from "../../../server/http/errors.ts";
import { parseQuery } from "../../../server/http/query.ts";
import { firstFault, readQuery } from "../../../server/routes/parameters.ts";
import { parametersOf, quickQueryOf, withReader } from "../../../server/routes/quick-query.ts";

const PIECES = [
  "coin", "amount", "frequency", "start_date", "date", "template", "toString", "__proto__",
  "=", "&", "btc", "100", "1e9", "1e10", "0", "-1", "0.5", "1e-400", "weekly", "monthly", "daily",
  "2024-02-29", "2023-02-29", "2024-01-31", "0000-01-01", "%62", "+", " ", "", "a",
] as const; // prettier-ignore

/** Queries as callers write them, and malformed ones. */
const queries = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join("")),
  fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES)), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.join("=")).join("&")),
);

/** Queries of an endpoint's own parameters: what each allows, and numbers about its bounds. */
function ownQueries(schema: z.ZodObject): fc.Arbitrary<string> {
  const { properties = {} } = z.toJSONSchema(schema);
  const parameters = Object.entries(properties).map(([name, described]) => {
    const {
      minimum,
      maximum,
      enum: words = [],
      examples = [],
    } = described as z.core.JSONSchema.Schema;
    const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
    const about = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]);
    const values = [...words, ...examples, ...about].map((value) => `${name}=${String(value)}`);
    return fc.option(fc.constantFrom(...values), { nil: "" });
  });
  return fc.tuple(...parameters).map((sent) => sent.filter((each) => each !== "").join("&"));
}

/** Drops members that are undefined: they equal absent ones. */
const present = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** What the schema would answer, as values or as the fault's message. */
function bySchema(schema: z.ZodObject, query: string): unknown {
  const sent = parseQuery(query);
  const result = schema.safeParse(sent);
  if (result.success) return present(result.data);
  return firstFault(schema, { noun: "parameter", sent }, result.error.issues).message;
}

/** The same by the readers, or what parsing the query throws. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

describe("a query read without its schema", () => {
  test.each(READ_ENDPOINTS.map(({ path, query }) => [path, query] as const))(
    "%s: is what the schema says, valid or not",
    (_path, schema) => {
      const agrees = (query: string) => {
        const read = outcomeOf(() => present(readQuery(schema, query)));
        assert.deepEqual(
          read,
          outcomeOf(() => bySchema(schema, query)),
        );
      };
      expect(() =>
        fc.assert(fc.property(fc.oneof(queries, ownQueries(schema)), agrees), { numRuns: 3000 }),
      ).not.toThrow();
    },
  );

  test("plain ones are read in one pass, and no others", () => {
    const dca = READ_ENDPOINTS.find(({ path }) => path === "/dca")!;
    const quick = quickQueryOf(parametersOf(dca.query));
    expect(quick("coin=btc&amount=2.5&frequency=monthly&start_date=2024-01-31")).toEqual({
      coin: "btc",
      amount: 2.5,
      frequency: "monthly",
      start_date: "2024-01-31",
    });
    expect(quick("coin=btc")).toMatchObject({ coin: "btc", amount: 100, frequency: "weekly" });
    for (const query of ["", "amount=1", "coin=btc&coin=btc", "coin=btc&x=1", "coin=%62tc"]) {
      expect(quick(query)).toBeUndefined();
    }
  });

  test("every parameter has a reader", () => {
    const one = withReader(z.string(), (text) => text);
    expect(readQuery(z.strictObject({ one }), "one=1")).toEqual({ one: "1" });
    const schema = z.strictObject({ one, two: z.string() });
    expect(() => readQuery(schema, "one=1&two=2")).toThrow('nothing reads the parameter "two"');
  });
});
