import { vi } from "vitest";
import { runProgram } from "../../scripts/program.ts";

/** What a command line printed, and how it ended. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command line of `hindsight` in this process and catches what it prints. A command that reports a failure
 * without throwing sets `process.exitCode`, which is put back.
 */
export async function runCommand(...args: readonly string[]): Promise<CommandOutcome> {
  let out = "";
  let err = "";
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => void (out += `${String(text)}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void (err += `${String(text)}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true)),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true)),
  ];
  const before = process.exitCode;
  try {
    const code = await runProgram(args);
    return { code: code === 0 ? Number(process.exitCode ?? 0) : code, out, err };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
