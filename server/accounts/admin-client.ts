import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { AccountsUnavailable } from "./accounts.ts";
import type { AccountsAdmin } from "./accounts-admin.ts";
import { ADMIN_CALLS, FROM_COMMAND } from "./admin-api.ts";
import { adminSocketOf, atShortPath } from "./admin-socket.ts";
import { AccountsRefused, type RefusalCode } from "./refused.ts";

const ANSWER_MAX_MS = 30_000;
const LATE = `the server that owns the state file did not answer within ${ANSWER_MAX_MS / 1000} s: what was to change may have changed`;
/**
 * No process listens: the socket does not exist, or a killed server left it behind. Who may not use the socket may not
 * open the file either, which says so.
 */
const NO_OWNER = ["ENOENT", "ECONNREFUSED", "ENOTDIR", "EACCES"];

/** The operator's actions through the owner of a state file, or undefined if none listens. */
export async function connectToAdmin(stateFile: string): Promise<AccountsAdmin | undefined> {
  const calls = ADMIN_CALLS.map(
    (name) => [name, (...given: unknown[]) => sendToOwner(stateFile, name, given)] as const,
  );
  const methods = { ...Object.fromEntries(calls), close: async () => {} };
  const admin = methods as unknown as AccountsAdmin; // each call is a method of it
  try {
    await admin.listAccounts(undefined, 1);
  } catch (error) {
    if (NO_OWNER.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  return admin;
}

function sendToOwner(stateFile: string, call: string, given: readonly unknown[]): Promise<unknown> {
  return atShortPath(adminSocketOf(stateFile), async (socketPath) => {
    const target = { socketPath, method: "POST", path: `/${call}`, headers: FROM_COMMAND };
    const sent = request({ ...target, agent: false, timeout: ANSWER_MAX_MS });
    sent.on("timeout", () => sent.destroy(new AccountsUnavailable(LATE)));
    sent.end(JSON.stringify(given));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const answer: unknown = JSON.parse(await text(response));
    if (response.statusCode === 200) return answer;
    const { code, message } = (answer as { error: { code: RefusalCode; message: string } }).error;
    if (response.statusCode === 409) throw new AccountsRefused(code, message);
    if (response.statusCode === 503) throw new AccountsUnavailable(message);
    throw new Error(message);
  });
}
