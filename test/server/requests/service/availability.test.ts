import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../../quant/calendar.ts";
import {
  type Accounts,
  AccountsUnavailable,
  type ChargeRequest,
} from "../../../../accounts/accounts.ts";
import { READ_ENDPOINTS } from "../../../../server/routes/endpoints.ts";
import { SnapshotAnswers } from "../../../../server/requests/answer.ts";
import type { Json } from "../../../support/json.ts";
import { sendRaw } from "../../../support/http-raw.ts";
import {
  changedAccounts,
  errorOf,
  refusalOf,
  sharedServer,
  usedBy,
  withServer,
} from "../../../support/server-fixture.ts";
import { AS_OF, marketSnapshot } from "../../../support/server-market.ts";

const { server, raw } = await sharedServer();

/** The embedded store, except that it takes turns, and decides the rate with the charge, as Redis does. */
const slowly = (accounts: Accounts): Accounts =>
  changedAccounts(accounts, {
    knownCaller: () => undefined,
    admit: () => undefined,
    report: async (caller, now) => accounts.report(caller, now),
    charge(request) {
      const rate = accounts.admit(request.caller, request.nowMs);
      const { caller, nowMs, endpoint, units, connection } = request;
      const settle: typeof request.settle = (outcome) => request.settle(outcome);
      setImmediate(() =>
        accounts.charge({ caller, nowMs, endpoint, units, rate, connection, settle }),
      );
    },
  });

describe("the service", () => {
  test("is up, and ready once it has a snapshot", async () => {
    await withServer({ snapshot: null }, async (own) => {
      const ownKey = await own.key();
      const health = await own.get("/healthz", undefined);
      expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
      for (const [path, withKey] of [
        ["/readyz", undefined],
        ["/v1/strategies", ownKey],
      ] as const) {
        const response = await own.get(path, withKey);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(await refusalOf(response)).toEqual([503, "unavailable"]);
      }
      expect((await own.get("/v1/strategies", "bad")).status, "the key comes first").toBe(401);
      expect(usedBy(own, ownKey)).toBe(0);
      own.service.answers = new SnapshotAnswers(marketSnapshot(), READ_ENDPOINTS);
      const ready = await own.get("/readyz", undefined);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: "ready", snapshot: marketSnapshot().id, stale: true, age_days: 1333 },
      ]);
      expect((await own.get("/v1/strategies", ownKey)).status).toBe(200);
    });
  });

  test("answers from the new snapshot once it is switched, with another tag", async () => {
    await withServer({}, async (own) => {
      const ownKey = await own.key();
      const before = await own.get("/v1/buy-hold?coin=btc", ownKey);
      own.service.answers = new SnapshotAnswers(marketSnapshot("next"), READ_ENDPOINTS);
      const tag = before.headers.get("etag")!;
      const after = await own.get("/v1/buy-hold?coin=btc", ownKey, { "if-none-match": tag });
      expect(after.status).toBe(200);
      const body: Json = await after.json();
      expect(body.data.attribution.snapshot).toBe("next");
    });
  });

  test("is not ready while its store is out of reach", async () => {
    let isThere = false;
    await withServer({ isReachable: async () => isThere }, async (own) => {
      const response = await own.get("/readyz", undefined);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
      expect((await errorOf(response)).code).toBe("unavailable");
      expect((await own.get("/healthz", undefined)).status).toBe(200);
      isThere = true;
      expect((await own.get("/readyz", undefined)).status).toBe(200);
    });
  });

  test("says while backtests do not run beside it, and answers all else", async () => {
    let fault: string | undefined = "they end";
    await withServer({ backtestFault: () => fault }, async (own) => {
      const response = await own.get("/readyz", undefined);
      const about = { snapshot: marketSnapshot().id, stale: true, age_days: 1333 };
      expect(await response.json()).toEqual({ status: "degraded", ...about, fault });
      expect(response.status, "a balancer that took it away would end reads, too").toBe(200);
      fault = undefined;
      expect(await (await own.get("/readyz", undefined)).json()).toEqual({
        status: "ready",
        ...about,
      });
    });
  });

  test("that is draining answers 503 and ends connections, but says it is alive", async () => {
    await withServer({}, async (own) => {
      const ownKey = await own.key();
      own.service.draining = true;
      const sent = `GET /v1/strategies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ownKey}\r\n\r\n`;
      const { responses, closed } = await sendRaw(own.http.port, sent);
      expect(responses[0]!.status).toBe(503);
      expect(responses[0]!.headers["retry-after"]).toBe("5");
      expect(closed).toBe(true);
      expect(usedBy(own, ownKey), "no failed answer is charged").toBe(0);
      expect((await own.get("/readyz", undefined)).status).toBe(503);
      expect((await own.get("/healthz", undefined)).status).toBe(200);
    });
  });

  test("answers pipelined requests without a key in their order", async () => {
    const sent = ["/healthz", "/v1/nothing"].map((path) => raw(`GET ${path}`)).join("");
    const { responses } = await sendRaw(server.http.port, sent, { responses: 2 });
    expect(responses.map(({ status }) => status)).toEqual([200, 404]);
  });

  test.each(["at the end of the turn", "later"])(
    "ends a connection that asks on before its answer, which leaves %s, and charges nothing",
    async (when) => {
      await withServer(when === "later" ? { wrap: slowly } : {}, async (own) => {
        const ownKey = await own.key();
        const one = `GET /v1/strategies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ownKey}\r\n\r\n`;
        const { responses, closed } = await sendRaw(own.http.port, one + one, { responses: 0 });
        expect(closed).toBe(true);
        expect(responses, "neither half an answer nor another's").toEqual([]);
        expect(own.http.inFlight()).toBe(0);
        expect((await own.get("/v1/strategies", ownKey)).status).toBe(200);
        expect(usedBy(own, ownKey)).toBe(1);
      });
    },
  );
});

describe("a store", () => {
  test("may take its time", async () => {
    await withServer({ wrap: slowly }, async (own) => {
      const ownKey = await own.key("three");
      const statuses = [];
      for (const path of [
        "/v1/strategies",
        "/v1/signals?coin=btc",
        "/v1/dca",
        "/v1/dca?coin=btc",
        "/v1/signals",
      ]) {
        statuses.push((await own.get(path, ownKey)).status);
      }
      expect(statuses).toEqual([200, 200, 400, 200, 429]);
      expect((await own.get("/v1/signals", "bad")).status).toBe(401);
      const tag = `W/"${marketSnapshot().id}/strategies"`;
      expect((await own.get("/v1/strategies", ownKey, { "if-none-match": tag })).status).toBe(304);
    });
  });

  test("may take its time, also for a job", async () => {
    await withServer({ wrap: slowly }, async (own) => {
      const ownKey = await own.key("paid");
      const body = { strategy: "ma_cross", start_date: dateOfDay(AS_OF) };
      const { data }: Json = await (await own.post("/v1/backtests", ownKey, body)).json();
      const found = await own.get(`/v1/backtests/${data.job_id}`, ownKey);
      expect(((await found.json()) as Json).meta.quota.used).toBe(10);
      const none = await own.get("/v1/backtests/1", ownKey);
      expect((await errorOf(none)).code).toBe("job_not_found");
      expect(none.headers.get("ratelimit")).toContain('"month";r=90');
      expect(own.defects).toEqual([]);
    });
  });

  test.each(["knownCaller", "authenticate", "admit", "charge"] as const)(
    "that is out of reach (%s) is 503 with a time to come back",
    async (step) => {
      const gone = () => {
        throw new AccountsUnavailable("gone");
      };
      const broken = (accounts: Accounts): Accounts =>
        changedAccounts(accounts, {
          ...(step === "authenticate" && { knownCaller: () => undefined }),
          [step]:
            step === "charge"
              ? (request: ChargeRequest) => request.settle(new AccountsUnavailable("gone"))
              : gone,
        });
      await withServer({ wrap: broken }, async (own) => {
        const ownKey = await own.key();
        const response = await own.get("/v1/strategies", ownKey);
        expect(response.headers.get("retry-after")).toBe("2");
        expect(await refusalOf(response)).toEqual([503, "unavailable"]);
        const minute = response.headers.get("ratelimit");
        expect(minute).toBe(step === "charge" ? '"minute";r=999999;t=60' : null);
        expect(own.defects).toEqual([]);
      });
    },
  );
});
