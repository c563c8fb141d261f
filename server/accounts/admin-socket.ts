import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What fits a socket's address with room to spare: Linux takes 107 bytes, macOS 103. */
const SOCKET_PATH_MAX = 100;

/** The Unix socket on which the owner of a state file serves the operator's requests. */
export function adminSocketOf(stateFile: string): string {
  return `${stateFile}-admin`;
}

export interface AdminSocket {
  /** Removes the socket. A request under way is done, but its answer may be lost. */
  close(): Promise<void>;
}

/**
 * Listens beside a state file, for its owner alone: at no instant may another user connect. The socket is bound in a
 * folder of mode 0700 and moved to its place when its own mode is 0600; the move replaces one that a killed server
 * left behind.
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

/** Runs work with a path that fits a socket's address: the given one or, if that is long, a temporary link to it. */
export async function atShortPath<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
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
