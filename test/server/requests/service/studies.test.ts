import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dateOfDay } from "../../../../quant/calendar.ts";
import { AS_OF } from "../../../support/server-market.ts";
import type { Json } from "../../../support/json.ts";
import { ServerFixture, usedBy } from "../../../support/server-fixture.ts";
import { schemaFaults } from "../../../support/server-schema.ts";

const BODY = {
  strategy: "ma_cross",
  coin: "btc",
  parameters: { fast: [5, 10, 20], slow: { from: 30, to: 60, step: 10 } },
  start_date: "2021-01-01",
};

let server: ServerFixture;
let key: string;

beforeEach(async () => {
  server = await ServerFixture.start();
  key = await server.key("paid");
});

afterEach(async () => {
  await server.close();
});

async function submit(body: object, path = "/v1/studies", withKey = key): Promise<Response> {
  return await server.post(path, withKey, body);
}

async function failureOf(body: object, path?: string): Promise<{ code: string; message: string }> {
  const response = await submit(body, path);
  const { error }: Json = await response.json();
  return error;
}

async function resultOf(body: object, path = "/v1/studies"): Promise<Json> {
  const { data }: Json = await (await submit(body, path)).json();
  server.runNext();
  const polled: Json = await (await server.get(`${path}/${data.job_id}`, key)).json();
  expect(schemaFaults(`${path.slice(3)}/{id}`, 200, polled)).toEqual([]);
  return polled.data;
}

describe("POST /studies", () => {
  test("says the verdict first, then every set, and costs as one backtest up to 100 sets", async () => {
    const job = await resultOf({ ...BODY, folds: 3, n_trials: 50 });
    expect(job).toMatchObject({ status: "done", error: null });
    expect(job.request).toMatchObject({
      strategy: "ma_cross",
      start_date: "2021-01-01",
      end_date: dateOfDay(AS_OF),
      fee_pct: 0.1,
      slippage_pct: 0.05,
      folds: 3,
      n_trials: 50,
    });
    const { result } = job;
    expect(Object.keys(result)[0]).toBe("sentence");
    expect(result.sentence).toBe(result.check.verdict.sentence);
    expect(result.sentence).toContain("with 50 tries");
    expect(result).toMatchObject({ sets: 12, illegal_sets: 0 });
    expect(result.n_trials).toMatchObject({ value: 50, declared: 50, known_here: 12 });
    expect(result.runs).toHaveLength(12);
    expect(result.best.run.sharpe).toBe(Math.max(...result.runs.map(({ sharpe }: Json) => sharpe)));
    expect(result.best.flatness_shuffled.draws).toBe(19);
    expect(result.walk_forward.tests).toHaveLength(3);
    expect(usedBy(server, key)).toBe(10);
  });

  test("costs a backtest for each 100 sets begun, and gives all back when it fails", async () => {
    const parameters = { fast: { from: 2, to: 21, step: 1 }, slow: [40, 50, 60, 70, 80, 90] };
    const accepted: Json = await (await submit({ ...BODY, parameters })).json();
    expect(accepted.meta.quota.used).toBe(20); // 120 sets
    server.runNext({ ok: false, error: { code: "timed_out", message: "too slow" } });
    expect(usedBy(server, key)).toBe(0);
  });

  test("counts what was tried here before, of this template and coin", async () => {
    await resultOf(BODY);
    await resultOf({ ...BODY, coin: "eth" });
    await resultOf({ ...BODY, parameters: { fast: 7, slow: 33 } }, "/v1/backtests");
    const { result } = await resultOf({
      ...BODY,
      parameters: { fast: [5, 6], slow: [30] },
      end_date: "2022-01-01",
    });
    expect(result.n_trials).toMatchObject({ known_here: 14, declared: null });
  });

  test("is made once under an idempotency key, however its members are ordered", async () => {
    const keyed = async (body: object): Promise<Json> => {
      const headers = { "idempotency-key": "once" };
      return await (await server.post("/v1/studies", key, body, headers)).json();
    };
    const { strategy, parameters, ...rest } = BODY;
    const { fast, slow } = parameters;
    const first = await keyed({ ...BODY, folds: 6 });
    const again = await keyed({ ...rest, folds: 6, parameters: { slow, fast }, strategy });
    expect(again.data.job_id).toBe(first.data.job_id);
    const other = await keyed({ ...BODY, n_trials: 6 });
    expect(other.error.code).toBe("idempotency_key_reused");
    expect(usedBy(server, key)).toBe(10);
  });

  test("answers the sets as CSV, with a column for each parameter", async () => {
    const { data }: Json = await (await submit(BODY)).json();
    server.runNext();
    const response = await server.get(`/v1/studies/${data.job_id}?format=csv&part=runs`, key);
    const [header, first, ...rest] = (await response.text()).trim().split("\r\n");
    expect(header).toBe("fast,slow,sharpe,return_pct,max_drawdown_pct,trades,exposure_pct");
    expect(first).toMatch(/^5,30,-?[\d.]+,/);
    expect(rest).toHaveLength(11);
  });

  test("has jobs of its own: an id of the other kind is none", async () => {
    const study: Json = await (await submit(BODY)).json();
    const run = { strategy: "ma_cross", start_date: "2021-01-01" };
    const backtest: Json = await (await submit(run, "/v1/backtests")).json();
    for (const path of [
      `/v1/backtests/${study.data.job_id}`,
      `/v1/studies/${backtest.data.job_id}`,
    ]) {
      const response = await server.get(path, key);
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  test.each([
    [{ parameters: { fast: [5], slow: [50] } }, "at least 2 legal sets, got 1"],
    [{ parameters: { ["__proto__"]: [1, 2], fast: [5, 6], slow: [50] } }, '"__proto__"'],
    [
      { parameters: { pace: [5, 6] } },
      `"pace" isn't a parameter of ma_cross, which has fast (a whole number from `,
    ],
    [{ parameters: { fast: [60, 70], slow: [50] } }, 'no legal set: "fast" must be below "slow"'],
    [{ parameters: 5 }, '"parameters" must be an object with a list of numbers'],
    [
      { parameters: { slow: [40, 50], fast: "5" } },
      '"parameters": "fast" must be a list of numbers, or {"from", "to", "step"}, got "5"',
    ],
    [
      { parameters: { slow: [40], fast: [5, "x"] } },
      `"fast" must be a list of numbers, or {"from", "to", "step"}, got "[5,"x"]"`,
    ],
    [{ parameters: { slow: { from: 5, to: 9 }, fast: [5] } }, `got "{"from":5,"to":9}"`],
    [{ parameters: { fast: [] } }, `got "[]"`],
    [
      { from: "2021-01-02" },
      'members "start_date" and "from" mean the same: give one, got "2021-01-01" and "2021-01-02"',
    ],
    [{ folds: 0 }, '"folds" must be a whole number from 1 to 200'],
    [{ folds: { train_days: 30, test_days: 1 } }, "folds must make 1 to 200 tests"],
    [{ end_date: "2020-12-31" }, '"end_date" must not be before the start'],
    [{ end_date: "2021-01-05" }, "at least 10 days, got 5"],
    [{ fee_pct: 11 }, '"fee_pct" must be a number from 0 to 10'],
    [{ starting_cash: 5 }, 'unknown member "starting_cash"'],
  ])("refuses %j", async (difference, message) => {
    const failure = await failureOf({ ...BODY, ...difference });
    expect(failure.code).toBe("invalid_parameter");
    expect(failure.message).toContain(message);
  });

  test("takes a body of up to 256 KiB, and others none above 16", async () => {
    const fast = Array.from({ length: 30_000 }, (_, index) => 2 + (index % 3));
    const long = { ...BODY, parameters: { fast, slow: [40] } };
    expect((await submit(long)).status).toBe(200);
    expect((await submit(long, "/v1/backtests")).status).toBe(413);
    const longer = { ...long, parameters: { fast: [...fast, ...fast, ...fast, ...fast, ...fast] } };
    expect((await submit(longer)).status).toBe(413);
  });

  test("needs a paid plan and a live key", async () => {
    const response = await submit(BODY, "/v1/studies", await server.key("free"));
    expect(response.status).toBe(403);
  });
});

describe("POST /backtests with parameters, dates and costs of one's own", () => {
  const own = {
    strategy: "rsi_reversion",
    coin: "btc",
    start_date: "2021-01-01",
    parameters: { period: 9, oversold: 35 },
    end_date: "2022-03-31",
    fee_pct: 0.4,
    slippage_pct: 0,
    n_trials: 120,
  };

  test("says which it used, and checks at that number of trials", async () => {
    const { request, result } = await resultOf(own, "/v1/backtests");
    const params = { period: 9, oversold: 35, overbought: 70 };
    expect(request).toMatchObject({ ...own, parameters: params });
    expect(Object.keys(request)).not.toContain("variant");
    expect(result).toMatchObject({ variant: null, params, end_date: "2022-03-31" });
    expect(result.assumptions).toMatchObject({ fee_pct: 0.4, slippage_pct: 0 });
    expect(result.overfitting).toMatchObject({ n_trials: 120, n_trials_source: "declared" });
    expect(result.check.sentence).toContain("with 120 tries");
  });

  test("leaves everything else as it is without them", async () => {
    const { request, result } = await resultOf(
      { strategy: "rsi_reversion", start_date: "2021-01-01" },
      "/v1/backtests",
    );
    expect(Object.keys(request)).toEqual([
      "strategy",
      "coin",
      "start_date",
      "starting_cash",
      "variant",
    ]);
    expect(Object.keys(result.overfitting)).not.toContain("n_trials_source");
    expect(result).toMatchObject({ variant: 1, overfitting: { n_trials: 13 } });
  });

  test.each([
    [{ variant: 2 }, 'give "variant" or "parameters", not both'],
    [{ parameters: { period: 0 } }, '"period" must be a whole number from 2 to 199, got 0'],
    [{ parameters: { oversold: 80 } }, '"oversold" must be below "overbought", got 80 and 70'],
    [{ parameters: { speed: 1 } }, `"speed" isn't a parameter of rsi_reversion`],
    [{ n_trials: 0 }, '"n_trials" must be a whole number from 1'],
  ])("refuses %j", async (difference, message) => {
    const failure = await failureOf({ ...own, ...difference }, "/v1/backtests");
    expect(failure).toMatchObject({ code: "invalid_parameter" });
    expect(failure.message).toContain(message);
  });
});
