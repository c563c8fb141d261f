import type { Logger } from "pino";

/**
 * The process ends this long after the signal, whatever still hangs. Draining takes less, and so does killing the
 * backtest process. Containers are killed after ten seconds.
 */
const EXIT_LIMIT_MS = 9_800;

/** Call once this process is to end. */
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
 * Resolves with the exit code once something failed that nothing caught, such as a timer's work. The process is in an
 * unknown state then and has to end, but in order: requests in flight are still answered.
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
 * Call at the very start. Resolves with the exit code once a signal asks this process to end, or the program that started
 * it with a channel, as `make run` does, is gone. A further SIGTERM changes nothing: systemd sends one to each process of a
 * unit.
 */
export function toldToEnd(): Promise<number> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve(0));
    process.once("SIGINT", () => resolve(0));
    process.once("disconnect", () => resolve(0));
  });
}

/** The same for a process that a server started: it also ends once that is gone. */
export function serverEnds(): Promise<number> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve(0));
    process.on("SIGINT", () => {}); // a terminal's Ctrl-C goes to the server too, which then ends this process
    process.once("disconnect", () => resolve(0));
    if (!process.connected) resolve(0); // gone already
  });
}
