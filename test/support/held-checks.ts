import type { CheckOutcome } from "../../server/checks/check-task.ts";

/** A runner of checks that end when a test ends them. */
export class HeldChecks {
  readonly begun: {
    readonly text: string;
    readonly signal: AbortSignal;
    end(of: CheckOutcome): void;
  }[] = [];

  run = (task: { readonly file: readonly Uint8Array[] }, signal: AbortSignal) =>
    new Promise<CheckOutcome>((resolve) => {
      const text = Buffer.concat(task.file).toString();
      this.begun.push({ text, signal, end: resolve });
      signal.addEventListener("abort", () => resolve({ kind: "stopped" }));
    });
}
