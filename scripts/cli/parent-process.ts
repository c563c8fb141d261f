import type { Logger } from "pino";
import type { MetricValues } from "../../server/metrics/metric.ts";
import type { FromChild, ToChild } from "../../server/process/supervised-process.ts";

/**
 * The process ends this long after the signal, whatever still hangs. Draining takes less, and so does killing the
 * processes it started (`STOP_LIMIT_MS`). Containers are killed after ten seconds.
 */
const EXIT_LIMIT_MS = 9_800;

/** Call once this process was told to end. */
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
 * Resolves with the exit code once something failed that nobody caught, such as a timer's work. Nobody knows what else is
 * wrong then, so the process is to end, but in order: whoever waits for an answer is to get it.
 */
export function metDefect(log: Logger): Promise<number> {
  return new Promise((resolve) => {
    process.on("uncaughtException", (err) => {
      log.fatal({ err }, "a failure that nobody caught: the process ends");
      endInTime(log);
      resolve(1);
    });
  });
}

/** A server's process that another process started. */
interface StartedProcess {
  metrics(): Promise<readonly MetricValues[]>;
  /** Called when a backtest waits. */
  wake?(): void;
}

/** Tells the process that started this one; does nothing if that is gone. */
export function tellParent(message: FromChild): void {
  if (process.connected) process.send?.(message, () => {});
}

/**
 * Answers whether this process is alive, which is asked even before it is ready. Whoever runs for a minute without
 * letting the event loop have its turn is taken to hang (`SupervisedProcess`).
 */
function showLife(): void {
  process.on("message", ({ kind }: ToChild) => {
    if (kind === "alive") tellParent({ kind });
  });
}

/** Reports that this process is ready, and from then on answers what it is asked. */
export function answerParent(started: StartedProcess, origin: string): void {
  process.on("message", (message: ToChild) => {
    if (message.kind === "work") started.wake?.();
    if (message.kind !== "metrics") return;
    const { id } = message;
    void started.metrics().then((values) => tellParent({ kind: "metrics", id, values }));
  });
  tellParent({ kind: "listening", origin });
}

/**
 * Call at the very start; `started`: by another process of the server, which asks from then on whether this one is alive.
 * Resolves once this process is told to end, or once the process that started it is gone. A further SIGTERM changes
 * nothing: systemd sends one to each process of a unit, and then comes the one of the process that started this one.
 */
export function toldToEnd(started: boolean): Promise<void> {
  if (started) showLife();
  return new Promise<void>((resolve) => {
    process.on("SIGTERM", () => resolve());
    // A terminal's Ctrl-C goes to all processes of its group. The parent then ends the others in order.
    if (started) process.on("SIGINT", () => {});
    else process.once("SIGINT", () => resolve());
    process.once("disconnect", resolve);
    if (started && !process.connected) resolve(); // gone already
  });
}
