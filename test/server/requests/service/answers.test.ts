import { FORMATS, varyLine } from "../../../../server/requests/formats/formats.ts";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../support/json.ts";
import { sendRaw, type RawResponse } from "../../../support/http-raw.ts";
import {
  READ_QUERIES,
  ServerFixture,
  sharedServer,
  usedBy,
} from "../../../support/server-fixture.ts";
import { marketSnapshot } from "../../../support/server-market.ts";
import { schemaFaults } from "../../../support/server-schema.ts";

const { server, key, raw } = await sharedServer();

describe("an answer", () => {
  test.each(READ_QUERIES)(
    "%s is the same under both bases, and as the document says",
    async (query) => {
      const answers = await Promise.all(
        ["/v1", "/api/v1"].map((base) => server.get(base + query, key)),
      );
      const bodies: Json[] = [];
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        const body: Json = await answer.json();
        expect(schemaFaults(query.split("?")[0]!, 200, body)).toEqual([]);
        expect(Object.keys(body)).toEqual(["data", "meta"]);
        bodies.push(body);
      }
      expect(bodies[0].data).toEqual(bodies[1].data);
      expect(bodies[1].meta.quota.used).toBe(bodies[0].meta.quota.used + 1);
    },
  );

  test("carries exactly the headers of the contract", async () => {
    const { responses } = await sendRaw(server.http.port, raw("GET /v1/buy-hold?coin=btc"));
    const { headers } = responses[0]!;
    expect(Object.keys(headers).sort()).toEqual(
      [
        "cache-control",
        "content-length",
        "content-type",
        "date",
        "etag",
        "ratelimit",
        "ratelimit-policy",
        "vary",
        "x-content-type-options",
        "x-request-id",
      ].sort(),
    );
    expect(headers).toMatchObject({
      "cache-control": "private, no-cache",
      "content-type": "application/json; charset=utf-8",
      etag: `W/"${marketSnapshot().id}/buy-hold?coin=btc"`,
      "ratelimit-policy": '"minute";q=1000000;w=60, "month";q=1000000;w=2419200',
      vary: varyLine(FORMATS).replace("\r\nVary: ", ""),
      "x-content-type-options": "nosniff",
    });
    expect(headers["ratelimit"]).toMatch(/^"minute";r=\d+;t=60, "month";r=\d+;t=\d+$/);
  });

  test("states the account after the call", async () => {
    const own = await server.key("three", "after@example.com");
    const metas: Json[] = [];
    for (let call = 0; call < 3; call++) {
      const body: Json = await (await server.get("/v1/strategies", own)).json();
      metas.push(body.meta);
    }
    expect(metas).toEqual(
      [1, 2, 3].map((used) => ({
        plan: "three",
        quota: { used, limit: 3, remaining: 3 - used },
        stale: true, // 2022-06-18 to 2026-02-10
        age_days: 1333,
      })),
    );
  });

  test("keeps callers' accounts apart where the data is shared", async () => {
    const plans = ["roomy", "three", "free", "trial"];
    const keys = await Promise.all(
      plans.map((plan) => server.key(plan, `apart-${plan}@example.com`)),
    );
    const asked = keys.flatMap((each) => [each, each]);
    const bodies: Json[] = await Promise.all(
      asked.map(async (each) => (await server.get("/v1/signals?coin=eth", each)).json()),
    );
    expect(bodies.map(({ meta }) => meta.plan)).toEqual(plans.flatMap((plan) => [plan, plan]));
    for (const at of [0, 2, 4, 6]) {
      expect(bodies[at].meta.quota.used + bodies[at + 1].meta.quota.used).toBe(1 + 2);
    }
  });

  test("says beyond two days how old its prices are, and so does /readyz", async () => {
    const own = await ServerFixture.start();
    const lastDay = own.snapshot.manifest.asOf;
    const paid = await own.key("paid");
    const ageOn = async (days: number) => {
      own.clock.wallMs = (lastDay + days) * 86_400_000 + 3_600_000;
      const answer = await own.get("/v1/dca?coin=btc", paid);
      const { meta, data } = (await answer.json()) as Json;
      const ready = (await (await own.get("/readyz", undefined)).json()) as Json;
      expect(data.attribution.stale, "of a coin within its snapshot").toBe(false);
      expect([ready.stale, ready.age_days]).toEqual([meta.stale, meta.age_days]);
      return [meta.stale, meta.age_days];
    };
    expect(await ageOn(1)).toEqual([undefined, undefined]);
    expect(await ageOn(2)).toEqual([undefined, undefined]);
    expect(await ageOn(3)).toEqual([true, 3]);
    expect(await ageOn(366), "from the cache, a year later").toEqual([true, 366]);
    await own.close();
  });

  test("to HEAD has the headers of GET and costs nothing", async () => {
    const before = usedBy(server, key);
    const [get] = (await sendRaw(server.http.port, raw("GET /v1/signals"))).responses;
    const head = await sendRaw(server.http.port, raw("HEAD /v1/signals"), { head: true });
    const varying = new Set(["date", "x-request-id", "ratelimit"]);
    const stable = ({ headers }: RawResponse) =>
      Object.entries(headers).filter(([name]) => !varying.has(name));
    expect(stable(head.responses[0]!)).toEqual(stable(get!));
    expect(head.text.endsWith("\r\n\r\n"), "no body").toBe(true);
    expect(usedBy(server, key) - before).toBe(1);
  });
});

describe("gzip", () => {
  const lengths = async (path: string, encoding: string) => {
    const { responses, text } = await sendRaw(
      server.http.port,
      raw(`GET ${path}`, [`Accept-Encoding: ${encoding}`]),
    );
    return { headers: responses[0]!.headers, body: responses[0]!.body, text };
  };

  test("is sent on request, and is the same answer", async () => {
    const plain = await lengths("/v1/signals", "identity");
    const packed = await lengths("/v1/signals", "br, gzip;q=0.8");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers["etag"]).toBe(plain.headers["etag"]);
    const unpacked: Json = JSON.parse(gunzipSync(Buffer.from(packed.body, "latin1")).toString());
    const expected: Json = JSON.parse(Buffer.from(plain.body, "latin1").toString());
    expect(unpacked.data).toEqual(expected.data);
    expect(unpacked.meta.quota.used).toBe(expected.meta.quota.used + 1);
    expect(Number(packed.headers["content-length"])).toBeLessThan(
      Number(plain.headers["content-length"]) / 3,
    );
  });
});

describe("a conditional request", () => {
  test("with a tag that is still valid is 304: not charged, but counted against the minute", async () => {
    const own = await server.key("slow", "conditional@example.com");
    const first = await server.get("/v1/dca?coin=btc", own);
    const etag = first.headers.get("etag")!;
    const before = usedBy(server, own);
    const second = await server.get("/v1/dca?coin=btc", own, { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("cache-control")).toBe("private, no-cache");
    expect(second.headers.get("vary")).toBe(varyLine(FORMATS).replace("\r\nVary: ", ""));
    expect(second.headers.get("ratelimit")).toContain('"minute";r=0;');
    expect(second.headers.get("ratelimit")).toContain('"month";r=999999;');
    expect(second.headers.get("content-type")).toBeNull();
    expect(usedBy(server, own)).toBe(before);
    expect((await server.get("/v1/dca?coin=btc", own, { "if-none-match": etag })).status).toBe(429);
  });

  test("has one tag for equal parameters, however they are written", async () => {
    const tags = await Promise.all(
      [
        "/v1/dca?coin=btc",
        "/api/v1/dca?coin=btc",
        "/v1/dca?coin=b%74c&amount=100",
        "/v1/dca?amount=1e2&frequency=weekly&coin=btc",
        "/v1/dca?start_date=2020-01-01&coin=btc&amount=100.00",
      ].map(async (path) => (await server.get(path, key)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(1);
    const other = await server.get("/v1/dca?coin=btc&amount=101", key);
    expect(other.headers.get("etag")).not.toBe(tags[0]);
  });

  test("still works when the month is used up", async () => {
    const own = await server.key("three", "used-up@example.com");
    const answers = [];
    for (let call = 0; call < 4; call++) answers.push(await server.get("/v1/strategies", own));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const etag = answers[0]!.headers.get("etag")!;
    const again = await server.get("/v1/strategies", own, { "if-none-match": etag });
    expect(again.status).toBe(304);
  });
});
