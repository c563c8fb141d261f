import type { Logger } from "pino";
import type { Progress, StepReport } from "./steps.ts";

/** Returns to the start of the line and clears it. */
const CLEAR_LINE = "\r\u001B[K";
/** For a pseudo-terminal that reports no width. */
const COLUMNS_DEFAULT = 80;

/**
 * Progress for a person at a terminal: the current step on a line that is overwritten, and one plain line for each
 * finished step. No spinner: the arithmetic would not let the event loop turn it.
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

/** How often a long step is reported where lines cannot be overwritten. */
const PARTS_REPORTED = 4;

/**
 * Progress for a person: at a terminal, or line by line where the output goes elsewhere, such as to a file or through
 * make.
 */
export function textProgress(output: NodeJS.WriteStream): Progress {
  if (output.isTTY) return terminalProgress(output);
  let current = "";
  let reported = 0;
  const write = (line: string) => output.write(`${line}\n`);
  return {
    begin(step) {
      [current, reported] = [step, 0];
    },
    advance(done, total) {
      const part = Math.floor((done * PARTS_REPORTED) / total);
      if (part <= reported || done === total) return;
      reported = part;
      write(`  ${current} ... ${done} of ${total}`);
    },
    end: (report) => write(`  ${stepLine(report)}`),
    notice: (text) => write(`! ${text}`),
  };
}

/** `indicators    0.41 s  rows 95,012`. */
export function stepLine({ name, seconds, facts }: StepReport): string {
  const shown = Object.entries(facts).map(
    ([fact, value]) => `${fact.replaceAll("_", " ")} ${value.toLocaleString("en-US")}`,
  );
  return `${name.padEnd(12)} ${seconds.toFixed(2).padStart(6)} s  ${shown.join(", ")}`;
}

/** One JSON line for each finished step and each notice, for machines. */
export function logProgress(log: Logger): Progress {
  return {
    begin() {},
    advance() {},
    end({ name, seconds, facts }) {
      log.info({ stage: name, seconds: Number(seconds.toFixed(3)), ...facts }, "stage done");
    },
    notice(text) {
      log.warn(text);
    },
  };
}
