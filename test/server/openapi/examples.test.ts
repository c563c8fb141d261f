import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { exampleName } from "../../../server/openapi/openapi-operations.ts";
import type { Endpoint } from "../../../server/routes/endpoint.ts";
import { ENDPOINTS } from "../../../server/routes/endpoints.ts";
import type { Json } from "../../support/json.ts";
import { ServerFixture } from "../../support/server-fixture.ts";
import { marketSnapshot } from "../../support/server-market.ts";

/**
 * The OpenAPI document's examples of answers are what a server answers from made-up prices. `make golden` records them
 * again; the diff is reviewed.
 */
const FILE = fileURLToPath(new URL("../../../server/openapi/examples.json", import.meta.url));
const PUBLIC_URL = "https://hindsight.example"; // a reserved name (RFC 2606)

/** What is different in every run, and what the document has instead. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, PUBLIC_URL],
  [/(?<="job_id":|\/backtests\/|\/studies\/)\d+/g, "81604378624"],
  [/(?<="account_id":")\w+/g, "acc_4fQzK0pVw1nXc8Ty"],
  [/(?<="id":")key_\w+/g, "key_9dLx2MvR7aQe"],
  [/(?<=&key=)key_\w+/g, "key_9dLx2MvR7aQe"],
  [/(?<=&signature=)[\w-]+/g, "T5S6OwaLINzE_j_rO-1l2aZVjZKiRTjJE3DUKXV6N4s"],
  [/(?<="prefix":")\w+/g, "hs_live_7Hq2"],
  [/(?<="last_four":")\w+/g, "x0Zd"],
];

/** 2023-06-01 to 2025-06-30. */
const HISTORY = { firstDay: 19_509, days: 761 };
const SNAPSHOT = {
  ...marketSnapshot("2025-06-30T20250701T001000000Z-0e5a1b2c3d4f", [
    { ticker: "btc", name: "Bitcoin", ...HISTORY },
    { ticker: "eth", name: "Ethereum", ...HISTORY },
  ]),
  manifest: { asOf: 20_269, source: "demo", synthetic: true },
  publicUrl: PUBLIC_URL,
};
/** Few sets and days, for the same reason. */
const SHORT_STUDY = {
  strategy: "supertrend",
  coin: "btc",
  parameters: { period: [7, 10, 14], multiplier: [2, 3] },
  start_date: "2025-03-01",
  folds: 2,
};
/** The curve has a point for each day, so a short run shows as much as a long one. */
const SHORT_RUN = { strategy: "supertrend", coin: "btc", start_date: "2025-06-01" };
const GONE = `snapshot "${SNAPSHOT.id}" is no longer kept; send the request again with another Idempotency-Key`;
/** Two waves of daily returns from 2024-01-01. */
const RETURNS = Array.from({ length: 400 }, (_, day) => {
  const value = 0.002 + 0.02 * Math.sin(day * 2.3) * Math.cos(day / 7);
  return `${dateOfDay(19_723 + day)},${value.toFixed(6)}\n`;
});

const server = await ServerFixture.start({ snapshot: SNAPSHOT });
afterAll(() => server.close());
server.clock.wallMs = Date.parse("2025-07-01T09:30:00Z");

type Example = readonly [title: string, summary: string, sent: Promise<Response>];

/** What the document shows of an operation, asked by an account of its own so that no other operation changes it. */
async function* examplesOf(endpoint: Endpoint): AsyncGenerator<Example> {
  const key = await server.key("developer", `${endpoint.operationId}@example.com`);
  const path = `/v1${endpoint.path}`;
  switch (endpoint.kind) {
    case "read":
      for (const [title, query] of Object.entries(endpoint.examples)) {
        const asked = new URLSearchParams(query).toString();
        const line = endpoint.path + (asked === "" ? "" : `?${asked}`);
        yield [title, `${title}: ${line} (made-up prices)`, server.get(`/v1${line}`, key)];
      }
      break;
    case "compute":
      for (const [title, body] of Object.entries(endpoint.examples)) {
        yield [title, title, server.post(path, key, body)];
      }
      break;
    case "check": {
      const sent = server.post(`${path}?n_trials=20`, key, `date,curve\n${RETURNS.join("")}`);
      yield ["a curve", "a made-up curve, the best of 20 variants", sent];
      break;
    }
    case "submit": {
      const [body] = Object.values(endpoint.examples);
      yield ["a job", "a job that was taken in", server.post(path, key, body)];
      server.runNext();
      break;
    }
    case "poll":
      yield* jobsOf(path, key, endpoint.job === "study" ? SHORT_STUDY : SHORT_RUN);
      break;
    case "snapshots":
      yield ["the files", "two files of a made-up snapshot", server.get(path, key)];
      break;
    case "usage":
      await server.get("/v1/dca?coin=btc", key);
      await server.post("/v1/backtests", key, SHORT_RUN);
      await server.state.round();
      yield ["an account", "a made-up account", server.get(path, key)];
  }
}

/** A job that waits, the same job when it is done, and one that failed. */
async function* jobsOf(path: string, key: string, body: object): AsyncGenerator<Example> {
  const submitted = async () => {
    const { data }: Json = await (await server.post(path, key, body)).json();
    server.clock.pass(4);
    return `${path}/${data.job_id}`;
  };
  const shown = (title: string, job: string): Example => {
    return [title, `${title} (made-up prices)`, server.get(job, key)];
  };
  const job = await submitted();
  yield shown("a job that waits", job);
  server.runNext();
  yield shown("a job that is done", job);
  const lost = await submitted();
  server.runNext({ ok: false, error: { code: "snapshot_gone", message: GONE } });
  yield shown("a job that failed", lost);
}

async function textOf(sent: Promise<Response>): Promise<string> {
  const response = await sent;
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url} is answered ${text}`);
  return PLACEHOLDERS.reduce((shown, [varies, fixed]) => shown.replaceAll(varies, fixed), text);
}

/** JSON of an object with a member a line. */
function object(members: readonly (readonly [name: string, text: string])[]): string {
  return `{\n${members.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(",\n")}\n}`;
}

test("the recorded examples are what a server answers, one a line", async () => {
  const operations: [string, string][] = [];
  for (const endpoint of ENDPOINTS) {
    const examples: [string, string][] = [];
    for await (const [title, summary, sent] of examplesOf(endpoint)) {
      const example = `{"summary": ${JSON.stringify(summary)}, "value": ${await textOf(sent)}}`;
      examples.push([exampleName(title), example]);
    }
    operations.push([endpoint.operationId, object(examples)]);
  }
  const text = `${object(operations)}\n`;
  if (process.env["HINDSIGHT_GOLDEN"] === "write") writeFileSync(FILE, text);
  const recorded = readFileSync(FILE, "utf8");
  expect(JSON.parse(text)).toEqual(JSON.parse(recorded)); // names the member that differs
  expect(text).toBe(recorded);
});
