import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DomainError } from "../../../server/http/errors.ts";
import { dca } from "../../../server/routes/dca.ts";
import { READ_ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { readQuery } from "../../../server/routes/parameters.ts";
import { signals } from "../../../server/routes/signals.ts";
import { strategies } from "../../../server/routes/strategies.ts";
import { NO_NUMBERS } from "../../support/no-numbers.ts";

/** How a query was refused, or a result without a code if it was read. Any other error is a defect. */
function outcomeOf(read: () => unknown): { code: string; message: string } {
  try {
    read();
    return { code: "", message: "" };
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
}

describe("a number", () => {
  test.each([
    ["100", 100],
    ["0.5", 0.5],
    ["1e3", 1000],
    ["1E3", 1000],
    ["2.5e-1", 0.25],
    ["1000000000", 1e9],
    ["0000012", 12],
    ["0.000000001", 1e-9],
    ["1e%2B3", 1000],
    ["25E-1", 2.5],
  ])("%s is %d", (text, value) => {
    expect(readQuery(dca.query, `coin=btc&amount=${text}`)["amount"]).toBe(value);
  });

  test.each([
    ...NO_NUMBERS.map(encodeURIComponent),
    "+1",
    "-1",
    "0",
    "-0",
    "0.0",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e309",
    "1e-400",
    "1000000000.01",
    "1e10",
    "true",
    "1".repeat(41),
  ])("%s is refused with what came and what is allowed", (text) => {
    const { code, message } = outcomeOf(() => readQuery(dca.query, `coin=btc&amount=${text}`));
    expect(code).toBe("invalid_parameter");
    expect(message).toMatch(
      /^parameter "amount" must be a decimal number above 0, at most 1000000000, got "/,
    );
  });
});

describe("a date", () => {
  test.each(["2024-01-31", "2024-02-29", "1999-12-31"])("%s holds", (text) => {
    expect(readQuery(signals.query, `date=${text}`)["date"]).toBe(text);
  });

  test.each([
    "",
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-32",
    "2024-1-1",
    "20240101",
    "2024-01-01T00:00:00Z",
    "01/02/2024",
    "2024-01-01%20",
    "today",
    "%D9%A2024-01-01",
  ])("%j is refused", (text) => {
    const { code, message } = outcomeOf(() => readQuery(signals.query, `date=${text}`));
    expect(code).toBe("invalid_parameter");
    expect(message).toContain('parameter "date" must be a calendar date as YYYY-MM-DD, got "');
  });
});

describe("parameters", () => {
  test("get their defaults", () => {
    expect(readQuery(dca.query, "coin=btc")).toEqual({
      coin: "btc",
      amount: 100,
      frequency: "weekly",
    });
  });

  test.each([
    ["", "missing_parameter", 'parameter "coin" is required'],
    ["amount=5", "missing_parameter", 'parameter "coin" is required'],
    [
      "coin=",
      "invalid_parameter",
      'parameter "coin" must be a lower-case ticker such as "btc", got ""',
    ],
    [
      "coin=btc&frequency=hourly",
      "invalid_parameter",
      'must be "daily" or "weekly" or "biweekly" or "monthly", got "hourly"',
    ],
    ["coin=btc&fee_pct=10.1", "invalid_parameter", "must be a number from 0 to 10"],
    ["coin=btc&end_date=2022-02-30", "invalid_parameter", "must be a calendar date"],
    ["coin=btc&frequency=Weekly", "invalid_parameter", 'got "Weekly"'],
    [
      "coin=btc&startdate=2024-01-01",
      "invalid_parameter",
      'unknown parameter "startdate"; allowed: "coin", "amount", "frequency", "start_date"',
    ],
    ["Coin=btc", "invalid_parameter", 'unknown parameter "Coin"'],
    ["coin=btc&coin=btc", "invalid_parameter", "more than once"],
    ["coin=btc&__proto__=x", "invalid_parameter", 'unknown parameter "__proto__"'],
    ["coin=btc&constructor=x", "invalid_parameter", 'unknown parameter "constructor"'],
    ["coin=btc&amount[]=5", "invalid_parameter", 'unknown parameter "amount[]"'],
  ])("?%s is %s", (query, code, message) => {
    const fault = outcomeOf(() => readQuery(dca.query, query));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(message);
  });

  test("of an endpoint that takes none are refused", () => {
    expect(outcomeOf(() => readQuery(strategies.query, "x=1")).message).toBe(
      'unknown parameter "x"; allowed: no parameters',
    );
  });

  test("of any text are read or refused with a short message, by every endpoint", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "btc",
        "1e3",
        "weekly",
        "2024-01-01",
        "%00",
        "+",
        "..",
        "&",
        "=",
        "x".repeat(5000),
      ),
    );
    const names = fc.oneof(
      text,
      fc.constantFrom("coin", "amount", "frequency", "start_date", "date"),
    );
    const pairs = fc.array(fc.tuple(names, text), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom(...READ_ENDPOINTS),
        pairs,
        fc.boolean(),
        (endpoint, given, encode) => {
          const written = encode
            ? given.map((pair) => pair.map(encodeURIComponent).join("="))
            : given.map((pair) => pair.join("="));
          const { code, message } = outcomeOf(() => readQuery(endpoint.query, written.join("&")));
          expect(["", "invalid_parameter", "missing_parameter"]).toContain(code);
          expect(message.length).toBeLessThan(300);
          // oxlint-disable-next-line no-control-regex -- that none is left is the point
          expect(message).not.toMatch(/[\u0000-\u001f\u007f]/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
