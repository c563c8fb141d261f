import type { Logger } from "pino";
import { priorityRefusal } from "../../aside/lower-priority.ts";

const AS_ROOT =
  "the server runs as root, and what breaks out of it would too: give it a user of its own";

const NO_PRIORITIES =
  "the system lets no thread give way: requests may wait for backtests and checks";

/** What the user that the server runs as may do too much, or too little. */
export function warnOfUser(log: Logger): void {
  if (process.getuid?.() === 0) log.warn(AS_ROOT);
  const reason = priorityRefusal();
  if (reason !== undefined) log.warn({ reason }, NO_PRIORITIES);
}
