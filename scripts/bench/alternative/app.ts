/**
 * The service as a good engineer would write it in a day: Fastify with its schema validation, keys and usage
 * in SQLite, data straight from the snapshot's DuckDB file, and a cache of answers. It has the same paths,
 * figures and fields as Hindsight's reads.
 */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { DomainError } from "../../../server/http/errors.ts";
import { buyHold } from "../../../server/routes/buy-hold.ts";
import { dataset } from "../../../server/routes/dataset.ts";
import type { ReadEndpoint } from "../../../server/routes/endpoint.ts";
import { signals } from "../../../server/routes/signals.ts";
import type { Answers } from "./answers.ts";
import type { KeyRow, KeyStore } from "./key-store.ts";
import { BACKTEST_BODY, COIN_QUERY, DATASET_QUERY, DCA_QUERY, SIGNALS_QUERY } from "./schemas.ts";

const WINDOW_MS = 60_000;
const JSON_TYPE = "application/json; charset=utf-8";
const DOCS = "https://example.com/docs/errors#";

class Refusal extends Error {
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    caller: KeyRow;
  }
}

interface AppOptions {
  readonly answers: Answers;
  readonly keys: KeyStore;
  readonly nowMs: () => number;
}

export function makeApp({ answers, keys, nowMs }: AppOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    requestIdHeader: "x-request-id",
    ajv: { customOptions: { removeAdditional: false, coerceTypes: true } },
  });
  app.decorateRequest("caller");
  app.addHook("onRequest", admission(keys, nowMs));
  app.setErrorHandler((error: Error & Partial<Refusal>, request, reply) => {
    const status = error.statusCode ?? (error instanceof DomainError ? 400 : 500);
    const code = error instanceof Refusal ? error.code : "invalid_parameter";
    const body = { error: { code, message: error.message, docs_url: DOCS + code } };
    return reply
      .code(status)
      .header("X-Request-Id", request.id)
      .header("Cache-Control", "no-store")
      .send(body);
  });
  const charge = charging(keys, nowMs);
  const get = (
    path: string,
    schema: object,
    answer: (request: FastifyRequest) => Promise<string>,
  ) => {
    app.get(`/v1${path}`, { schema: { querystring: schema } }, async (request, reply) => {
      const etag = `W/"${answers.snapshot.id}${request.url.slice("/v1".length)}"`;
      reply.header("ETag", etag).header("Cache-Control", "private, no-cache");
      reply.header("X-Request-Id", request.id);
      if (request.headers["if-none-match"] === etag) return reply.code(304).send();
      return charge(request, reply, await answer(request));
    });
  };
  const read = (endpoint: ReadEndpoint, schema: object) => {
    get(endpoint.path, schema, ({ url, query }) => answers.read(url, endpoint, query));
  };
  read(signals, SIGNALS_QUERY);
  read(buyHold, COIN_QUERY);
  read(dataset, DATASET_QUERY);
  get("/dca", DCA_QUERY, ({ url, query }) => answers.dca(url, query));
  app.post("/v1/overfitting", { schema: { body: BACKTEST_BODY } }, (request, reply) => {
    reply.header("X-Request-Id", request.id).header("Cache-Control", "no-store");
    return charge(request, reply, answers.overfitting(request.body));
  });
  return app;
}

/** Finds the caller, and counts the account's requests in fixed windows of a minute. */
function admission(keys: KeyStore, nowMs: () => number) {
  const windows = new Map<string, { readonly startedMs: number; count: number }>();
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const sent = request.headers.authorization ?? "";
    const caller = sent.startsWith("Bearer ") ? keys.find(sent.slice("Bearer ".length)) : undefined;
    if (caller === undefined) {
      reply.header("WWW-Authenticate", "Bearer");
      done(new Refusal(401, "invalid_api_key", "the API key is not valid"));
      return;
    }
    request.caller = caller;
    const { account_id: id, rate_per_minute: limit, calls_per_month: calls } = caller;
    let window = windows.get(id);
    if (window === undefined || nowMs() - window.startedMs >= WINDOW_MS) {
      window = { startedMs: nowMs(), count: 0 };
      windows.set(id, window);
    }
    const isAdmitted = window.count < limit;
    if (isAdmitted) window.count++;
    const resetSeconds = Math.ceil((window.startedMs + WINDOW_MS - nowMs()) / 1000);
    reply.header("RateLimit-Policy", `"minute";q=${limit};w=60, "month";q=${calls};w=2592000`);
    reply.header("RateLimit", `"minute";r=${limit - window.count};t=${resetSeconds}`);
    if (isAdmitted) {
      done();
      return;
    }
    reply.header("Retry-After", resetSeconds);
    done(new Refusal(429, "rate_limited", `plan "${caller.plan}" allows ${limit} a minute`));
  };
}

/** Charges the call and adds the account to the answer. */
function charging(keys: KeyStore, nowMs: () => number) {
  return (request: FastifyRequest, reply: FastifyReply, data: string): FastifyReply => {
    const { account_id: id, plan, calls_per_month: limit } = request.caller;
    const month = new Date(nowMs()).toISOString().slice(0, "2026-01".length);
    const used = keys.charge(id, month, limit);
    if (used === undefined) {
      throw new Refusal(429, "quota_exceeded", `plan "${plan}" allows ${limit} calls a month`);
    }
    const meta = JSON.stringify({ plan, quota: { used, limit, remaining: limit - used } });
    return reply.type(JSON_TYPE).send(`{"data":${data},"meta":${meta}}`);
  };
}
