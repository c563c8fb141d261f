/**
 * What one would otherwise build: our reads from Fastify with its schema validation, keys and usage in SQLite, a query of
 * the snapshot's DuckDB file for `/dca`, whose parameters are nearly always new, and a cache of all answers. How they are
 * made from their figures is not measured, so that is our own code. `servers.ts` starts it for the benchmark.
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
import { dcaOutcome } from "../../quant/outcomes/dca-outcome.ts";
import { lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import { jsonSchemaOf } from "../../server/openapi/json-schema.ts";
import { coinOf } from "../../server/routes/board.ts";
import { buyHold } from "../../server/routes/buy-hold.ts";
import { dataset } from "../../server/routes/dataset.ts";
import { dca } from "../../server/routes/dca.ts";
import { dataOf, type ReadEndpoint } from "../../server/routes/endpoint.ts";
import { overfitting } from "../../server/routes/overfitting.ts";
import { signals } from "../../server/routes/signals.ts";
import { oncePerObject, originOf } from "../../server/routes/snapshot-data.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { dcaColumnsOf } from "../../snapshots/tables/dca.ts";
import type { LOAD_PLANS, MadeAccount } from "../support/made-accounts.ts";
import { scriptArgument } from "../support/script-options.ts";

type TwinAccount = MadeAccount & (typeof LOAD_PLANS)[number];

export interface TwinOptions {
  readonly snapshot: string;
  readonly state: string;
  readonly accounts: readonly TwinAccount[];
}

const TABLES = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE keys (hash TEXT PRIMARY KEY, id TEXT, plan TEXT, calls_per_month INTEGER, rate_per_minute INTEGER) WITHOUT ROWID;
CREATE TABLE usage (id TEXT, month TEXT, used INTEGER, PRIMARY KEY (id, month)) WITHOUT ROWID;`;
const CHARGE =
  "INSERT INTO usage VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ? RETURNING used";
const PLAN = `
SELECT * REPLACE ((start_date - DATE '1970-01-01')::INTEGER AS start_date, (worst_date - DATE '1970-01-01')::INTEGER AS worst_date)
FROM dca WHERE coin = ? AND frequency = ? AND start_date = ?::DATE`;
/** How many answers are kept as text. A board is some 150 KB, the whole dataset more than 1 MB, any other a few KB. */
const ANSWERS_MAX = 1_000;
const MINUTE_MS = 60_000;

const options = JSON.parse(scriptArgument(import.meta.url)) as TwinOptions;
const snapshot = await openSnapshot(options.snapshot);
const books = new Database(options.state);
books.exec(TABLES);
const insert = books.prepare("INSERT INTO keys VALUES (?, ?, ?, ?, ?)");
for (const { key, id, plan, calls_per_month, rate_per_minute } of options.accounts)
  insert.run(hash("sha256", key, "hex"), id, plan, calls_per_month, rate_per_minute);
const find = books.prepare("SELECT * FROM keys WHERE hash = ?");
const charge = books.prepare(CHARGE);
const texts = new LRUCache<string, string>({ max: ANSWERS_MAX });
/** Requests by account and minute. */
const counts = new LRUCache<string, number>({ max: ANSWERS_MAX });
const callers = new WeakMap<FastifyRequest, TwinAccount>();

function refusal(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code });
}

const app = fastify({
  ajv: { customOptions: { removeAdditional: false, coerceTypes: true } },
  requestIdHeader: "x-request-id",
});
app.addHook("onRequest", async (request, reply) => {
  const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const caller = find.get(hash("sha256", key, "hex")) as TwinAccount | undefined;
  reply.header("X-Request-Id", request.id);
  if (caller === undefined) throw refusal(401, "invalid_api_key", "the API key is not valid");
  callers.set(request, caller);
  const { id, plan, rate_per_minute: limit, calls_per_month: calls } = caller;
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const count = (counts.get(`${id} ${minute}`) ?? 0) + 1;
  counts.set(`${id} ${minute}`, count);
  const resetSeconds = Math.ceil(((minute + 1) * MINUTE_MS - Date.now()) / 1000);
  reply.header("RateLimit-Policy", `"minute";q=${limit};w=60, "month";q=${calls};w=2592000`);
  reply.header("RateLimit", `"minute";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
  if (count > limit) throw refusal(429, "rate_limited", `"${plan}": ${limit} a minute`);
});
app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, _, reply) => {
  const { statusCode = 400, code = "invalid_parameter", message } = error;
  return reply
    .code(statusCode)
    .header("Cache-Control", "no-store")
    .send({ error: { code, message } });
});

/** Charges the call and adds the account to the answer. */
function send(request: FastifyRequest, reply: FastifyReply, data: string): FastifyReply {
  const { id, plan, calls_per_month: limit } = callers.get(request)!; // by the hook
  const month = new Date().toISOString().slice(0, "2026-01".length);
  const charged = charge.get(id, month, limit) as { used: number } | undefined;
  if (charged === undefined) throw refusal(429, "quota_exceeded", `"${plan}": ${limit} calls`);
  const quota = { used: charged.used, limit, remaining: limit - charged.used };
  return reply
    .type("application/json; charset=utf-8")
    .send(`{"data":${data},"meta":${JSON.stringify({ plan, quota })}}`);
}

/** A read whose answers are made once for each address. */
function read(endpoint: ReadEndpoint, make: (query: object) => object | Promise<object>): void {
  const { $schema: _, ...querystring } = jsonSchemaOf(endpoint.query, {});
  app.get(`/v1${endpoint.path}`, { schema: { querystring } }, async (request, reply) => {
    const etag = `W/"${snapshot.id}${request.url.slice("/v1".length)}"`;
    reply.header("ETag", etag).header("Cache-Control", "private, no-cache");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    const text = texts.get(request.url) ?? JSON.stringify(await make(request.query as object));
    texts.set(request.url, text);
    return send(request, reply, text);
  });
}

for (const endpoint of [signals, buyHold, dataset] as unknown as ReadEndpoint[])
  read(endpoint, (query) => dataOf(endpoint, snapshot, endpoint.resolve(snapshot, query as never)));

const database = join(options.snapshot, "hindsight.duckdb");
const duckdb = await DuckDBInstance.create(database, { access_mode: "READ_ONLY", threads: "1" });
const statement = await (await duckdb.connect()).prepare(PLAN);
const queries = new PQueue({ concurrency: 1 });
/** Checked by the schema. */
type Plan = Record<"coin" | "amount" | "frequency" | "start_date", never>;
const winsOf = oncePerObject(lumpSumWins);
read(dca as unknown as ReadEndpoint, async (query) => {
  const plan: object = dca.resolve(snapshot, query as never);
  const { coin, amount, frequency, start_date: start } = plan as Plan;
  const columns = await queries.add(async () => {
    statement.bind([coin, frequency, start]);
    return (await statement.runAndReadAll()).getColumnsObjectJS();
  });
  const rows = columns["coin"]!.length;
  if (rows === 0) throw refusal(400, "invalid_parameter", "not a plan of the table");
  const wins = winsOf(snapshot.dca(coin, frequency)!); // as the table has it
  const outcome = dcaOutcome(dcaColumnsOf({ rows, columns: columns as never }), 0, amount, wins);
  const found = coinOf(snapshot, coin);
  const origin = originOf(snapshot, found);
  return dca.data.from({ origin, coin, frequency, ...outcome, endDay: found.lastDay });
});

const { $schema: _, ...body } = jsonSchemaOf(overfitting.body, {});
app.post("/v1/overfitting", { schema: { body } }, (request, reply) => {
  reply.header("Cache-Control", "no-store");
  return send(request, reply, JSON.stringify(dataOf(overfitting, snapshot, request.body as never)));
});
process.once("SIGTERM", () => process.exit(0));
console.log(`Serving on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
