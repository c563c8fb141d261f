import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { AccountsUnavailable } from "./accounts.ts";
import type { AccountsAdmin, KeyReference } from "./admin.ts";
import { adminSocketOf, atShortPath } from "./admin-socket.ts";
import { AccountsRefused, type RefusalCode } from "./refused.ts";

const ANSWER_MAX_MS = 30_000;
const LATE = `the server that owns the state file did not answer within ${ANSWER_MAX_MS / 1000} s: what was to change may have changed`;
/** No process listens: the socket does not exist, or a killed server left it behind. */
const NO_OWNER = ["ENOENT", "ECONNREFUSED", "ENOTDIR"];

/** The operator's actions through the owner of a state file, or undefined if none listens. */
export async function connectToAdmin(stateFile: string): Promise<AccountsAdmin | undefined> {
  const send = <T>(method: "GET" | "POST", path: string, body?: object) =>
    sendToOwner<T>(stateFile, method, path, body);
  try {
    await send("GET", "/accounts?limit=1");
  } catch (error) {
    if (isNoOwner(error)) return undefined;
    throw error;
  }
  const at = (id: string) => `/accounts/${encodeURIComponent(id)}`;
  return {
    createAccount: ({ email, plan }) => send("POST", "/accounts", { email, plan }),
    findAccount: (idOrEmail) => send("GET", at(idOrEmail)),
    listAccounts: (after, limit) => {
      const from = after === undefined ? "" : `&after=${encodeURIComponent(after.id)}`;
      return send("GET", `/accounts?limit=${limit}${from}`);
    },
    setPlan: (id, plan) => send("POST", `${at(id)}/plan`, { plan }),
    usageOf: (id) => send("GET", `${at(id)}/usage`),
    createKey: (id, env) => send("POST", `${at(id)}/keys`, { env }),
    listKeys: (id) => send("GET", `${at(id)}/keys`),
    rotateKey: (key: KeyReference, graceMs) => send("POST", "/key-rotations", { key, graceMs }),
    revokeKey: (key) => send("POST", "/key-revocations", { key }),
    close: async () => {},
  };
}

function isNoOwner(error: unknown): boolean {
  return NO_OWNER.includes((error as NodeJS.ErrnoException).code ?? "");
}

function sendToOwner<T>(
  stateFile: string,
  method: "GET" | "POST",
  path: string,
  body: object | undefined,
): Promise<T> {
  return atShortPath(adminSocketOf(stateFile), async (socketPath) => {
    const { status, text: sent } = await answerTo({ socketPath, method, path }, body);
    const answer = JSON.parse(sent) as T & { readonly error?: { code: string; message: string } };
    if (status < 400 || answer.error === undefined) return answer;
    const { code, message } = answer.error;
    if (status === 409) throw new AccountsRefused(code as RefusalCode, message);
    if (status === 503) throw new AccountsUnavailable(message);
    throw new Error(message);
  });
}

async function answerTo(
  target: { readonly socketPath: string; readonly method: string; readonly path: string },
  body: object | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = request({ ...target, agent: false, timeout: ANSWER_MAX_MS });
  sent.on("timeout", () => sent.destroy(new AccountsUnavailable(LATE)));
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 500, text: await text(response) };
}
