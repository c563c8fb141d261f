import { describe, expect, test } from "vitest";
import type { Json } from "../../../support/json.ts";
import { errorOf, refusalOf, sharedServer, usedBy } from "../../../support/server-fixture.ts";
import { schemaFaults } from "../../../support/server-schema.ts";

const { server, key } = await sharedServer();

const BODY = { sharpe: 1, length_days: 1825, n_trials: 45 };
const GOOD = '"sharpe":1,"n_trials":1';
const FINITE = "must be a number from -1000000 to 1000000";
const NESTED = "[".repeat(8000) + "]".repeat(8000);

describe("POST /overfitting", () => {
  test("answers as its document says, charges one call and is not to be stored", async () => {
    const before = usedBy(server, key);
    const response = await server.post("/v1/overfitting", key, BODY);
    const body: Json = await response.json();
    expect(response.status).toBe(200);
    expect(schemaFaults("/overfitting", 200, body, "post")).toEqual([]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("etag")).toBeNull();
    expect(usedBy(server, key)).toBe(before + 1);
    expect(body.meta.quota.used).toBe(before + 1);
    expect(Object.keys(body.data)[0]).toBe("attribution");
  });

  test("is a coin flip at the minimum backtest length: SR 1, 45 trials, 5 years", async () => {
    const { data }: Json = await (await server.post("/api/v1/overfitting", key, BODY)).json();
    expect(data.deflated_sharpe_ratio).toBeCloseTo(0.5, 3);
    expect(data.inputs).toEqual({
      ...BODY,
      timeframe: "1d",
      skew: 0,
      kurtosis: 3,
      trials_sharpe_std: null,
    });
    expect(data.observations).toBe(1825);
  });

  test("gives the published example of the deflated Sharpe ratio paper, in days of 365", async () => {
    // SR 2.5, V 1/2 a year. The paper has years of 250 days and T 1250; here it is 5 years of 365 days.
    const sent = { sharpe: 2.5, length_days: 1825, n_trials: 100, skew: -3, kurtosis: 10 };
    const body = { ...sent, trials_sharpe_std: Math.SQRT1_2 };
    const { data }: Json = await (await server.post("/v1/overfitting", key, body)).json();
    expect(data.expected_max_sharpe).toBeCloseTo(2.5306 * Math.SQRT1_2, 4);
    expect(data.assumptions.trials_sharpe_std_source).toBe("given");
  });

  test("keeps its digits at a billion trials", async () => {
    const body = { sharpe: 12, length_days: 1000, n_trials: 1e9 };
    const { data }: Json = await (await server.post("/v1/overfitting", key, body)).json();
    expect(data.fwer_p_value).toBeGreaterThan(0);
    expect(data.fwer_p_value).toBeLessThan(1e-60);
  });

  test.each([
    ["", "invalid_json"],
    ["[]", "invalid_json"],
    ["null", "invalid_json"],
    ["{", "invalid_json"],
    ['{"sharpe":1}', "missing_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":1,"sharp":2}', "invalid_parameter"],
    ['{"sharpe":1,"sharpe":2,"length_days":100,"n_trials":1}', "invalid_parameter"],
    ['{"sharpe":"1","length_days":100,"n_trials":1}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":1,"n_trials":1}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":13,"n_trials":1,"timeframe":"1w"}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":0}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":1.5}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":1000000001}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":1,"timeframe":"1m"}', "invalid_parameter"],
    ['{"sharpe":1,"length_days":100,"n_trials":1,"kurtosis":0.9}', "invalid_parameter"],
    ['{"sharpe":30,"length_days":100,"n_trials":1,"skew":5}', "invalid_parameter"],
    ['{"__proto__":1,"sharpe":1,"length_days":100,"n_trials":1}', "invalid_parameter"],
  ])("refuses %s as %s, at no charge", async (body, code) => {
    const before = usedBy(server, key);
    const response = await server.post("/v1/overfitting", key, body);
    expect(await refusalOf(response)).toEqual([400, code]);
    expect(usedBy(server, key)).toBe(before);
  });

  test("refuses bytes that are not UTF-8, and parameters in the query", async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const path = `${server.origin}/v1/overfitting`;
    const broken = await fetch(path, { method: "POST", headers, body: new Uint8Array([0xff]) });
    expect((await errorOf(broken)).code).toBe("invalid_json");
    const asked = await server.post("/v1/overfitting?sharpe=1", key, BODY);
    expect((await errorOf(asked)).code).toBe("invalid_parameter");
  });

  test.each([
    ['"sharpe":1,"n_trials":-1', '"n_trials" must be a whole number from 1 to 1000000000, got -1'],
    [`${GOOD},"\\u0073harpe":2`, '"sharpe" was given more than once; give it once'],
    ['"sharpe":1e400,"n_trials":1', `"sharpe" ${FINITE}, got a number beyond float64`],
    [`"sharpe":${NESTED},"n_trials":1`, `"sharpe" ${FINITE}, got an array`],
    ['"sharpe":{"a":1},"n_trials":1', `"sharpe" ${FINITE}, got an object`],
    ['"sharpe":null,"n_trials":1', `"sharpe" ${FINITE}, got null`],
    [`${GOOD},"skew":null`, `"skew" ${FINITE}, got null; to give none, leave it out`],
    [
      `${GOOD},"trials_sharpe_std":null`,
      '"trials_sharpe_std" must be a number from 0 to 1000000, got null; to give none, leave it out',
    ],
  ])("says of member %# what is wrong", async (members, message) => {
    const response = await server.post("/v1/overfitting", key, `{"length_days":9,${members}}`);
    expect((await errorOf(response)).message).toBe(`member ${message}`);
  });

  test("says how many bars there are of too short a length", async () => {
    const response = await server.post("/v1/overfitting", key, { ...BODY, length_days: 1.5 });
    const message =
      'member "length_days" must be at least 2 bars long, got 1.5, which is 1 of "1d"';
    expect((await errorOf(response)).message).toBe(message);
  });

  test.each([
    ['{"sharpe": NaN, "n_trials": 1}', 'from "NaN, "n_trials": 1}" on'],
    ['{"sharpe":1, "skew":-Infinity}', 'from "-Infinity}" on'],
    ["{'sharpe': 1}", "from \"'sharpe': 1}\" on"],
    ['{"sharpe": .5}', 'from ".5}" on'],
    ['{"sharpe": 1.}', 'from ".}" on'],
    ['{"timeframe": "1d}', 'from ""1d}" on'],
    ['{"timeframe": "\\d"}', 'from ""\\d"}" on'],
    ['{"timeframe": "1\nd"}', 'from ""1?d"}" on'],
    ["sharpe=1.8&length_days=730", 'from "sharpe=1.8&length_days=730" on'],
    ['{"sharpe":1}\n# done', 'from "# done" on'],
    ['{"sharpe":1,}', "comma"],
    ['{"sharpe":1 "n_trials":2}', "comma"],
    ['{"sharpe":1', "bracket"],
    ['{"sharpe":1}}', "bracket"],
  ])("says where %s is no JSON", async (body, where) => {
    const { code, message } = await errorOf(await server.post("/v1/overfitting", key, body));
    expect(code).toBe("invalid_json");
    expect(message).toMatch(/^the body is not valid JSON.*; expected one JSON object$/);
    expect(message).toContain(where);
  });

  test("a body of 10,001 lists in each other is refused before it is parsed", async () => {
    const body = "[".repeat(10_001);
    const { code, message } = await errorOf(await server.post("/v1/overfitting", key, body));
    expect(code).toBe("invalid_json");
    expect(message).toBe("the body has more than 10000 objects and lists");
  });

  test("answers finite figures at the limits of what it accepts", async () => {
    const spreads = [{}, { trials_sharpe_std: 0 }, { trials_sharpe_std: 1e6, kurtosis: 1e9 }];
    const ends = [-1e6, -1, 0, 1e-300, 1e6].flatMap((sharpe) =>
      spreads.flatMap((spread) => [
        { sharpe, n_trials: 1, length_days: 2, ...spread },
        { sharpe, n_trials: 1, length_days: 1e9, ...spread },
        { sharpe, n_trials: 1e9, length_days: 2, ...spread },
        { sharpe, n_trials: 1e9, length_days: 1e9, ...spread },
      ]),
    );
    for (const sent of ends) {
      const response = await server.post("/v1/overfitting", key, sent);
      expect(response.status, `of ${JSON.stringify(sent)}`).toBe(200);
      expect(schemaFaults("/overfitting", 200, await response.json(), "post")).toEqual([]);
    }
    const beyond = await server.post("/v1/overfitting", key, { ...BODY, trials_sharpe_std: 1e308 });
    expect((await errorOf(beyond)).code).toBe("invalid_parameter");
  });

  test("writes no number with more than 10 significant digits, those it was sent included", async () => {
    const sent = { sharpe: 1.23456789012345, length_days: 730.123456789012, skew: 0.1234567890123 };
    const { data }: Json = await (
      await server.post("/v1/overfitting", key, { ...BODY, ...sent })
    ).json();
    expect(data.inputs).toMatchObject({
      sharpe: 1.23456789,
      length_days: 730.1234568,
      skew: 0.123456789,
    });
  });
});
