import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type RequestListener, request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { AccountsAdmin } from "./accounts-admin.ts";
import { AccountsUnavailable } from "./accounts.ts";
import { ADMIN_CALLS, FROM_COMMAND } from "./admin-api.ts";
import { AccountsRefused, type RefusalCode } from "./refused.ts";

/** A path that fits a socket's address: Linux allows 107 bytes, macOS 103. */
const SOCKET_PATH_MAX = 100;

/** The Unix socket on which the owner of a state file serves the operator's requests. */
export function adminSocketOf(stateFile: string): string {
  return `${stateFile}-admin`;
}

export interface AdminSocket {
  /** Removes the socket. A request under way is completed, but its answer may be lost. */
  close(): Promise<void>;
}

/**
 * Listens next to a state file for the file's owner alone. At no instant can another user connect: the socket is bound in
 * a folder of mode 0700, and moved to its place once its own mode is 0600. The move replaces a socket that a killed
 * server left.
 */
export async function listenOnAdminSocket(
  stateFile: string,
  listener: RequestListener,
): Promise<AdminSocket> {
  const socket = adminSocketOf(stateFile);
  const folder = `${socket}.new`;
  const server = createServer(listener);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    await atShortPath(folder, async (short) => {
      await new Promise<void>((done, fail) => {
        server.once("error", fail).listen(join(short, "s"), done);
      });
    });
    chmodSync(join(folder, "s"), 0o600);
    renameSync(join(folder, "s"), socket);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    async close() {
      rmSync(socket, { force: true });
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
    },
  };
}

/** Runs work with a path short enough for a socket: the given one, or a temporary link to it. */
async function atShortPath<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX - "/s".length) return await work(path);
  const folder = mkdtempSync(join(tmpdir(), "hindsight-"));
  try {
    const link = join(folder, "l");
    symlinkSync(resolve(path), link);
    return await work(link);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ANSWER_MAX_MS = 30_000;
const LATE = `the server that owns the state file did not answer within ${ANSWER_MAX_MS / 1000} s: the change may have been made all the same`;
/**
 * The errors that mean that no process listens: there is no socket, or a killed server left it. With EACCES, opening the
 * state file fails next and says so.
 */
const NO_OWNER = ["ENOENT", "ECONNREFUSED", "ENOTDIR", "EACCES"];

/** The operator's actions through the process that owns a state file; undefined if none listens. */
export async function connectToAdmin(stateFile: string): Promise<AccountsAdmin | undefined> {
  const calls = ADMIN_CALLS.map(
    (name) => [name, (...given: unknown[]) => sendToOwner(stateFile, name, given)] as const,
  );
  const methods = { ...Object.fromEntries(calls), close: async () => {} };
  const admin = methods as unknown as AccountsAdmin; // `ADMIN_CALLS` are its methods
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
