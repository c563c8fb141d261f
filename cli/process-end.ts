import type { Logger } from "pino";

/**
 * The process ends this long after the signal, whatever still hangs. Draining and killing the backtest process take
 * less. Containers are killed after ten seconds.
 */
const EXIT_LIMIT_MS = 9_800;

/** Ends the process at the limit if it is still there. Call it when the process is to end. */
export function endInTime(log: Logger): void {
  const giveUp = () => {
    log.error(
      { waited_ms: EXIT_LIMIT_MS },
      "could not close everything in time: ends all the same",
    );
    process.exit(1);
  };
  setTimeout(giveUp, EXIT_LIMIT_MS).unref();
}

/**
 * Resolves with exit code 1 after an exception that nothing caught. The process is then in an unknown state and has to
 * end, but in order, so that requests in flight are answered.
 */
export function metDefect(log: Logger): Promise<number> {
  return new Promise((resolve) => {
    process.on("uncaughtException", (err) => {
      log.fatal({ err }, "a failure that nothing caught: the process ends");
      endInTime(log);
      resolve(1);
    });
  });
}

/**
 * Resolves with exit code 0 when a signal asks the process to end, or when the program that started it with a channel,
 * as `make run` does, is gone. Call it at the very start. A further SIGTERM changes nothing, because systemd sends one
 * to each process of a unit.
 */
export function toldToEnd(): Promise<number> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve(0));
    process.once("SIGINT", () => resolve(0));
    process.once("disconnect", () => resolve(0));
  });
}

/** The same for a process that a server started. It also ends when the server is gone. */
export function serverEnds(): Promise<number> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve(0));
    process.on("SIGINT", () => {}); // a terminal's Ctrl-C goes to the server too, which then ends this process
    process.once("disconnect", () => resolve(0));
    if (!process.connected) resolve(0); // gone already
  });
}
