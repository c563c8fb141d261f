import type { Progress, StepReport } from "./progress.ts";

/** Returns to the start of the line and clears it. */
const CLEAR_LINE = "\r\u001B[K";
/** A pseudo-terminal may not know its width. */
const COLUMNS_DEFAULT = 80;

/**
 * Progress for a person at a terminal: the current step on a line that is overwritten, and one plain line
 * for each finished step. No spinner, because the arithmetic leaves it no turn of the event loop.
 */
export function terminalProgress(terminal: NodeJS.WriteStream): Progress {
  let current = "";
  const show = (text: string) => {
    const columns = terminal.columns > 0 ? terminal.columns : COLUMNS_DEFAULT;
    terminal.write(`${CLEAR_LINE}${text.slice(0, columns - 1)}`); // a line that wraps cannot be cleared
  };
  const keep = (line: string) => terminal.write(`${CLEAR_LINE}${line}\n`);
  return {
    begin(step) {
      current = `  ${step} ...`;
      show(current);
    },
    advance(done, total) {
      show(`${current} ${done} of ${total}`);
    },
    end(report) {
      keep(`  ${stepLine(report)}`);
      current = "";
    },
    notice(text) {
      keep(`! ${text}`);
      show(current);
    },
  };
}

/** `indicators    0.41 s  rows 95,012`. */
export function stepLine({ name, seconds, facts }: StepReport): string {
  const told = Object.entries(facts).map(([fact, value]) => {
    const label = fact.replaceAll("_", " ");
    return `${label} ${typeof value === "number" ? value.toLocaleString("en-US") : String(value)}`;
  });
  return `${name.padEnd(12)} ${seconds.toFixed(2).padStart(6)} s  ${told.join(", ")}`;
}
