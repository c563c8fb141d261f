import ora from "ora";
import type { Progress, StepReport } from "./progress.ts";

/** A spinner and one plain line for each step, for a person at a terminal. */
export function terminalProgress(stream: NodeJS.WriteStream): Progress {
  const spinner = ora({ stream, discardStdin: false });
  let current = "";
  return {
    begin(step) {
      current = step;
      spinner.start(step);
    },
    advance(done, total) {
      spinner.text = `${current} ${done}/${total}`;
      spinner.render(); // the arithmetic leaves the spinner's own timer no turn
    },
    end(report) {
      spinner.succeed(stepLine(report));
    },
    notice(text) {
      const wasSpinning = spinner.isSpinning;
      spinner.warn(text);
      if (wasSpinning) spinner.start(current);
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
