import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { isRedisAddress } from "../../server/redis/address.ts";
import { UsageError } from "../support/usage-error.ts";

/** What a command line names by a path. */
interface Places {
  readonly snapshots: string;
  /** A file, or the address of a Redis. */
  readonly state: string;
  readonly notes?: string;
  readonly plans?: string;
}

/** How often to look. A process that was refused a thread in between tries again by itself. */
const LOOK_MS = 1_000;

/** The same options with absolute paths, which mean the same once the process works in another folder. */
export function atAbsolutePaths<Asked extends Places>(asked: Asked): Asked {
  const { snapshots, state, notes, plans } = asked;
  return {
    ...asked,
    snapshots: absolute(snapshots),
    state: isRedisAddress(state) ? state : absolute(state),
    ...(notes !== undefined && { notes: absolute(notes) }),
    ...(plans !== undefined && { plans: absolute(plans) }),
  };
}

/** These places as options, which count instead of those given before them. None for the address of a Redis. */
export function placeArguments({ snapshots, state, notes, plans }: Places): string[] {
  return [
    "--snapshots",
    snapshots,
    ...(isRedisAddress(state) ? [] : ["--state", state]),
    ...(notes === undefined ? [] : ["--notes", notes]),
    ...(plans === undefined ? [] : ["--plans", plans]),
  ];
}

/**
 * Lets this process go on if the folder it was started in is removed, as by a deployment: it then moves to "/". In a
 * folder that is gone Node starts no thread (its first act is to ask for the folder's path), so no snapshot would be
 * opened and no backtest run. Only then, because Node's own options may name files relative to the folder.
 */
export function leaveRemovedFolder(log: Logger): void {
  look(log);
  setInterval(() => look(log), LOOK_MS).unref();
}

function look(log: Logger): void {
  try {
    realpathSync.native("."); // asks the system; Node's own `cwd` keeps the first answer
  } catch (error) {
    process.chdir("/");
    log.warn(
      { reason: String(error) },
      "the folder this process was started in is gone: it works in / from now on",
    );
  }
}

function absolute(path: string): string {
  try {
    return resolve(path);
  } catch {
    throw new UsageError(
      "the folder that this command was started in is gone: start it in another one",
    );
  }
}
