import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { AccountsUnavailable } from "./accounts.ts";
import { type Who, usageCsv } from "./admin.ts";
import type { AccountsAdmin } from "./accounts-admin.ts";
import { AccountsRefused } from "./refused.ts";

const PAGE_MAX = 1_000;

const KEY = z.union([z.strictObject({ id: z.string() }), z.strictObject({ key: z.string() })]);
/** Null is undefined, which JSON does not have. */
const KEY_NAME = z
  .string()
  .nullish()
  .transform((name) => name ?? undefined);
const ENV = z.enum(["live", "test"]);
const PAGE_AFTER = z
  .object({ id: z.string(), createdMs: z.int() })
  .nullable()
  .transform((after) => after ?? undefined);
const PAGE_SIZE = z.int().min(1).max(PAGE_MAX);

type AdminCall = Exclude<keyof AccountsAdmin, "close">;

/** The arguments of each call. */
const ARGUMENTS: Readonly<Record<AdminCall, z.ZodType<readonly unknown[]>>> = {
  createAccount: z.tuple([z.strictObject({ email: z.string(), plan: z.string() })]),
  findAccount: z.tuple([z.string()]),
  listAccounts: z.tuple([PAGE_AFTER, PAGE_SIZE]),
  setPlan: z.tuple([z.string(), z.string()]),
  suspend: z.tuple([z.string()]),
  resume: z.tuple([z.string()]),
  changeAddress: z.tuple([z.string(), z.string()]),
  deleteAccount: z.tuple([z.string()]),
  listUsage: z.tuple([PAGE_AFTER, PAGE_SIZE, z.string()]),
  listChanges: z.tuple([z.int().nonnegative(), PAGE_SIZE]),
  usageOf: z.tuple([z.string()]),
  createKey: z.union([z.tuple([z.string(), ENV]), z.tuple([z.string(), ENV, KEY_NAME])]),
  listKeys: z.tuple([z.string()]),
  rotateKey: z.tuple([KEY, z.int().nonnegative()]),
  revokeKey: z.tuple([KEY]),
};

export const ADMIN_CALLS = Object.keys(ARGUMENTS) as readonly AdminCall[];

/** The header by which a command's changes are recorded as such. */
export const FROM_COMMAND = { "x-from": "command" } as const;

/**
 * The operator's actions over HTTP: `POST /<call>` with the arguments of that method of `AccountsAdmin` as a JSON array,
 * answered with its result. `listUsage` also answers in CSV, if `Accept` names it. A failure is
 * `{"error": {"code", "message"}}`. There is no authentication, so it belongs on a socket that only the operator can
 * open. Full keys are sent in bodies only, because a path may be logged.
 */
export function adminApi(adminOf: (who: Who) => AccountsAdmin): RequestListener {
  return (request, response) => {
    const who = request.headers["x-from"] === "command" ? "command" : "admin";
    void answer(adminOf(who), request, response);
  };
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
    if (request.url === "/listUsage" && request.headers.accept === "text/csv") {
      response.setHeader("content-type", "text/csv; charset=utf-8");
      response.writeHead(200).end(usageCsv(result as Parameters<typeof usageCsv>[0]));
      return;
    }
    response.writeHead(200).end(JSON.stringify(result));
  } catch (error) {
    const { status, code, message } = failureOf(error);
    response.writeHead(status).end(JSON.stringify({ error: { code, message } }));
  }
}

async function resultOf(admin: AccountsAdmin, request: IncomingMessage): Promise<unknown> {
  const asked = `${request.method} ${request.url}`;
  const call = ADMIN_CALLS.find((name) => asked === `POST /${name}`);
  if (call === undefined) throw new SyntaxError(`there is no ${asked}`);
  const given = ARGUMENTS[call].parse(JSON.parse(await text(request)));
  return await (admin[call] as (...given: readonly unknown[]) => unknown).apply(admin, [...given]);
}

function failureOf(error: unknown): { status: number; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AccountsRefused) return { status: 409, code: error.code, message };
  if (error instanceof AccountsUnavailable) return { status: 503, code: "unavailable", message };
  if (error instanceof z.ZodError)
    return { status: 400, code: "invalid_request", message: z.prettifyError(error) };
  if (error instanceof SyntaxError) return { status: 400, code: "invalid_request", message };
  return { status: 500, code: "internal_error", message };
}
