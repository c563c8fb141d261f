/**
 * What one would otherwise build: our reads from Fastify with its schema validation, keys and usage in SQLite, a query of
 * the snapshot's DuckDB file for `/dca`, whose parameters are nearly always new, and a cache of all other answers. Those
 * are made by our own code, because how they are made is not measured. `servers.ts` starts it for the benchmark.
 *
 *   node dist/scripts/bench/fastify-twin.js '{"snapshot": "DIR", "state": "FILE", "accounts": [...]}'
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import Database from "libsql";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { significant } from "../../api/significant-digits.ts";
import { DomainError } from "../../server/http/errors.ts";
import { jsonSchemaOf } from "../../server/openapi/json-schema.ts";
import { buyHold } from "../../server/routes/buy-hold.ts";
import { dataset } from "../../server/routes/dataset.ts";
import { dca } from "../../server/routes/dca.ts";
import { dataOf, type ReadEndpoint } from "../../server/routes/endpoint.ts";
import { overfitting } from "../../server/routes/overfitting.ts";
import { signals } from "../../server/routes/signals.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { scriptArgument } from "../support/script-options.ts";

export interface TwinOptions {
  readonly snapshot: string;
  readonly state: string;
  readonly accounts: readonly TwinAccount[];
}

export interface TwinAccount {
  readonly id: string;
  readonly key: string;
  readonly plan: string;
  readonly calls_per_month: number;
  readonly rate_per_minute: number;
}

const TABLES = `
CREATE TABLE keys (hash TEXT PRIMARY KEY, id TEXT, plan TEXT, calls_per_month INTEGER, rate_per_minute INTEGER) WITHOUT ROWID;
CREATE TABLE usage (id TEXT, month TEXT, used INTEGER, PRIMARY KEY (id, month)) WITHOUT ROWID;`;
const CHARGE =
  "INSERT INTO usage VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ? RETURNING used";
/** Values that differ by rounding alone are a tie. */
const PLAN = `
WITH plan AS (
  SELECT *, ?::DOUBLE AS amount, value_usd - lump_sum_value_usd AS gap, greatest(value_usd, lump_sum_value_usd) AS higher,
    if(abs(gap) <= 1e-12 * higher, 0, gap) AS lead
  FROM dca WHERE coin = ? AND frequency = ? AND start_date = ?::DATE
)
SELECT amount AS amount_usd, start_date::VARCHAR AS start_date, purchases, purchases * amount AS invested_usd,
  units * amount AS units, purchases / units AS average_cost_usd, value_usd * amount AS value_usd,
  (value_usd - purchases) * amount AS profit_usd, (value_usd / purchases - 1) * 100 AS return_pct, irr * 100 AS irr_pct,
  worst_return * 100 AS worst_return_pct, worst_date::VARCHAR AS worst_date, under_water_days AS days_under_water,
  in_profit_share * 100 AS days_in_profit_pct,
  { units: lump_sum_units * amount, value_usd: lump_sum_value_usd * amount,
    profit_usd: (lump_sum_value_usd - purchases) * amount, return_pct: (lump_sum_value_usd / purchases - 1) * 100,
    cagr_pct: lump_sum_cagr * 100, max_drawdown_pct: lump_sum_max_drawdown * 100 } AS lump_sum,
  { winner: CASE sign(lead) WHEN 0 THEN 'tie' WHEN 1 THEN 'dca' ELSE 'lump_sum' END,
    difference_usd: lead * amount, difference_pct: lead / lump_sum_value_usd * 100 } AS comparison
FROM plan`;

/** Queries that run at once. */
const CONNECTIONS = 4;
/** How many answers are kept as text. A board is some 150 KB, the whole dataset more than 1 MB, any other a few KB. */
const ANSWERS_MAX = 1_000;
const MINUTE_MS = 60_000;
const JSON_TYPE = "application/json; charset=utf-8";

function refusal(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code });
}

declare module "fastify" {
  interface FastifyRequest {
    caller: TwinAccount;
  }
}

const options = JSON.parse(scriptArgument(import.meta.url)) as TwinOptions;
const snapshot = await openSnapshot(options.snapshot);
const books = new Database(options.state);
books.pragma("journal_mode = WAL");
books.pragma("synchronous = NORMAL");
books.exec(TABLES);
const insert = books.prepare("INSERT INTO keys VALUES (?, ?, ?, ?, ?)");
for (const { key, id, plan, calls_per_month, rate_per_minute } of options.accounts)
  insert.run(hash("sha256", key, "hex"), id, plan, calls_per_month, rate_per_minute);
const find = books.prepare("SELECT * FROM keys WHERE hash = ?");
const charge = books.prepare(CHARGE);

const texts = new LRUCache<string, string>({ max: ANSWERS_MAX });
const windows = new Map<string, { readonly startedMs: number; count: number }>();
const app = fastify({
  ajv: { customOptions: { removeAdditional: false, coerceTypes: true } },
  requestIdHeader: "x-request-id",
});
app.decorateRequest("caller");

/** Finds the caller, and counts the account's requests in fixed windows of a minute. */
app.addHook("onRequest", (request, reply, done) => {
  const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const caller = find.get(hash("sha256", key, "hex")) as TwinAccount | undefined;
  reply.header("X-Request-Id", request.id);
  if (caller === undefined) {
    reply.header("WWW-Authenticate", "Bearer");
    done(refusal(401, "invalid_api_key", "the API key is not valid"));
    return;
  }
  request.caller = caller;
  const { id, plan, rate_per_minute: limit, calls_per_month: calls } = caller;
  let window = windows.get(id);
  if (window === undefined || Date.now() - window.startedMs >= MINUTE_MS) {
    window = { startedMs: Date.now(), count: 0 };
    windows.set(id, window);
  }
  const isAdmitted = window.count++ < limit;
  const resetSeconds = Math.ceil((window.startedMs + MINUTE_MS - Date.now()) / 1000);
  reply.header("RateLimit-Policy", `"minute";q=${limit};w=60, "month";q=${calls};w=2592000`);
  const left = Math.max(0, limit - window.count);
  reply.header("RateLimit", `"minute";r=${left};t=${resetSeconds}`);
  if (!isAdmitted) reply.header("Retry-After", resetSeconds);
  done(isAdmitted ? undefined : refusal(429, "rate_limited", `"${plan}": ${limit} a minute`));
});
app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, _, reply) => {
  const { code = "invalid_parameter", message } = error;
  const status = error.statusCode ?? (error instanceof DomainError ? 400 : 500);
  return reply.code(status).header("Cache-Control", "no-store").send({ error: { code, message } });
});

/** Charges the call and adds the account to the answer. */
function send({ caller }: FastifyRequest, reply: FastifyReply, data: string): FastifyReply {
  const { id, plan, calls_per_month: limit } = caller;
  const month = new Date().toISOString().slice(0, "2026-01".length);
  const charged = charge.get(id, month, limit) as { used: number } | undefined;
  if (charged === undefined) throw refusal(429, "quota_exceeded", `"${plan}": ${limit} calls`);
  const { used } = charged;
  const meta = JSON.stringify({ plan, quota: { used, limit, remaining: limit - used } });
  return reply.type(JSON_TYPE).send(`{"data":${data},"meta":${meta}}`);
}

/** A read whose answers are made once for each address. */
function read(endpoint: ReadEndpoint, make: (query: object) => string | Promise<string>): void {
  const { $schema: _, ...querystring } = jsonSchemaOf(endpoint.query, {});
  app.get(`/v1${endpoint.path}`, { schema: { querystring } }, async (request, reply) => {
    const etag = `W/"${snapshot.id}${request.url.slice("/v1".length)}"`;
    reply.header("ETag", etag).header("Cache-Control", "private, no-cache");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    const text = texts.get(request.url) ?? (await make(request.query as object));
    texts.set(request.url, text);
    return send(request, reply, text);
  });
}

for (const endpoint of [signals, buyHold, dataset] as unknown as ReadEndpoint[])
  read(endpoint, (query) =>
    JSON.stringify(dataOf(endpoint, snapshot, endpoint.resolve(snapshot, query as never) as never)),
  );

// One thread for each query, because it reads a single row and several run at once.
const database = join(options.snapshot, "hindsight.duckdb");
const duckdb = await DuckDBInstance.create(database, { access_mode: "READ_ONLY", threads: "1" });
const idle = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => (await duckdb.connect()).prepare(PLAN)),
);
const queries = new PQueue({ concurrency: CONNECTIONS });
/** What all plans of a coin and frequency share. */
const shared = new LRUCache<string, object & { comparison: object }>({ max: ANSWERS_MAX });
read(dca as unknown as ReadEndpoint, async (query) => {
  const plan = dca.resolve(snapshot, query as never);
  const { coin, amount, frequency, start_date: start } = plan;
  const name = `${coin} ${frequency}`;
  const same = shared.get(name) ?? (dataOf(dca, snapshot, plan as never) as never);
  shared.set(name, same);
  const row = await queries.add(async () => {
    const statement = idle.pop()!; // as many as tasks at once
    for (const [index, value] of [amount, coin, frequency, start].entries())
      statement.bindVarchar(index + 1, String(value));
    const [found] = (await statement.runAndReadAll()).getRowObjectsJS();
    idle.push(statement);
    if (found === undefined) throw refusal(400, "invalid_parameter", "not a plan of the table");
    return found;
  });
  const comparison = { ...same.comparison, ...(row["comparison"] as object) };
  return JSON.stringify({ ...same, ...row, comparison }, (_, value: unknown) =>
    typeof value === "number" ? significant(value) : value,
  );
});

const { $schema: _, ...body } = jsonSchemaOf(overfitting.body, {});
app.post("/v1/overfitting", { schema: { body } }, (request, reply) => {
  reply.header("Cache-Control", "no-store");
  return send(request, reply, JSON.stringify(dataOf(overfitting, snapshot, request.body as never)));
});
process.once("SIGTERM", () => process.exit(0));
console.log(`Serving on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
