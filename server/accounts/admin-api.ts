import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { z } from "zod";
import { AccountsUnavailable } from "./accounts.ts";
import type { AccountsAdmin } from "./admin.ts";
import { AccountsRefused } from "./refused.ts";

/** A request with an account, a plan and a key is a few hundred bytes. */
const BODY_BYTES_MAX = 16_384;
const PAGE_MAX = 1_000;

const NEW_ACCOUNT = z.strictObject({ email: z.string(), plan: z.string() });
const PLAN = z.strictObject({ plan: z.string() });
const NEW_KEY = z.strictObject({ env: z.enum(["live", "test"]) });
const KEY = z.union([z.strictObject({ id: z.string() }), z.strictObject({ key: z.string() })]);
const REVOCATION = z.strictObject({ key: KEY });
const ROTATION = z.strictObject({ key: KEY, graceMs: z.int().nonnegative() });
const PAGE = z.object({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_MAX),
});

interface AdminRequest {
  /** The part of the path in braces. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A key in full travels only in bodies: a path may end up in a log. */
const ROUTES: Readonly<
  Record<string, (admin: AccountsAdmin, request: AdminRequest) => Promise<object>>
> = {
  "POST /accounts": (admin, { body }) => admin.createAccount(NEW_ACCOUNT.parse(body)),
  "GET /accounts": async (admin, { query }) => {
    const { after, limit } = PAGE.parse(query);
    const last = after === undefined ? undefined : await admin.findAccount(after);
    return await admin.listAccounts(last, limit);
  },
  "GET /accounts/{id}": (admin, { id }) => admin.findAccount(id),
  "POST /accounts/{id}/plan": (admin, { id, body }) => admin.setPlan(id, PLAN.parse(body).plan),
  "GET /accounts/{id}/usage": (admin, { id }) => admin.usageOf(id),
  "GET /accounts/{id}/keys": (admin, { id }) => admin.listKeys(id),
  "POST /accounts/{id}/keys": (admin, { id, body }) => admin.createKey(id, NEW_KEY.parse(body).env),
  "POST /key-rotations": (admin, { body }) => {
    const { key, graceMs } = ROTATION.parse(body);
    return admin.rotateKey(key, graceMs);
  },
  "POST /key-revocations": (admin, { body }) => admin.revokeKey(REVOCATION.parse(body).key),
};

/**
 * The operator's actions as a JSON HTTP API. Records have the names of `admin.ts`; a failure is
 * `{"error": {"code", "message"}}`. It has no authentication, so it belongs on a socket that only the
 * operator can open.
 */
export function adminApi(admin: AccountsAdmin): RequestListener {
  return (request, response) => void answer(admin, request, response);
}

async function answer(
  admin: AccountsAdmin,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("connection", "close");
  response.setHeader("content-type", "application/json");
  try {
    const result = await resultOf(admin, request);
    response.writeHead(200).end(JSON.stringify(result));
  } catch (error) {
    const { status, code, message } = failureOf(error);
    response.writeHead(status).end(JSON.stringify({ error: { code, message } }));
  }
}

async function resultOf(admin: AccountsAdmin, request: IncomingMessage): Promise<object> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const [resource = "", id, action] = pathname.slice(1).split("/");
  const path = [resource, id === undefined ? [] : "{id}", action ?? []].flat().join("/");
  const route = ROUTES[`${request.method} /${path}`];
  if (route === undefined) throw new NoRoute(`there is no ${request.method} ${pathname}`);
  const query = Object.fromEntries(searchParams);
  return await route(admin, {
    id: decodeURIComponent(id ?? ""),
    query,
    body: await bodyOf(request),
  });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new SyntaxError(`a body has at most ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return bytes === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

class NoRoute extends Error {}

function failureOf(error: unknown): { status: number; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AccountsRefused) return { status: 409, code: error.code, message };
  if (error instanceof AccountsUnavailable) return { status: 503, code: "unavailable", message };
  if (error instanceof NoRoute) return { status: 404, code: "not_found", message };
  if (error instanceof z.ZodError)
    return { status: 400, code: "invalid_request", message: z.prettifyError(error) };
  if (error instanceof SyntaxError || error instanceof URIError)
    return { status: 400, code: "invalid_request", message };
  return { status: 500, code: "internal_error", message };
}
