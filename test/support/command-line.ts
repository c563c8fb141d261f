import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { runProgram } from "../../cli/program.ts";
import { openSqliteState } from "../../accounts/sqlite/open-sqlite-state.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { bearer } from "./bearer.ts";
import { charge } from "./charge.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The output of a command and its exit code. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command of `hindsight` in this process and captures its output. A command that reports a failure without
 * throwing sets `process.exitCode`, which is restored.
 */
export async function runCommand(...args: readonly string[]): Promise<CommandOutcome> {
  let out = "";
  let err = "";
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => void (out += `${String(text)}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void (err += `${String(text)}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest: unknown[]) => {
      out += String(text);
      const written = rest.at(-1);
      if (typeof written === "function") written();
      return true;
    }),
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

/** A folder for each test of a file, in which commands keep their state file. */
export function useStateFolder(): { readonly folder: string; readonly state: string } {
  const at = { folder: "", state: "" };
  beforeEach(() => {
    at.folder = temporaryFolder("cli");
    at.state = join(at.folder, "state", "hindsight.db");
    vi.stubEnv("HINDSIGHT_STATE", at.state);
  });
  afterEach(() => void vi.unstubAllEnvs());
  return at;
}

/** The JSON that a command prints with `--json`. The command must not fail. */
export async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await runCommand(...args, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as T;
}

export interface Created {
  readonly account_id: string;
  readonly key: string;
  readonly plan: string;
}

export function create(email = "ann@example.com", plan = "developer"): Promise<Created> {
  return json<Created>("accounts", "create", "--email", email, "--plan", plan);
}

/** Charges calls to a key as a server does. */
export async function chargeKey(file: string, key: string, calls: number): Promise<void> {
  const clock = { nowMs: Date.now, monotonicMs: () => 0 };
  const state = openSqliteState({ file, plans: BUILT_IN_PLANS, clock, roundMs: null });
  try {
    const caller = state.knownCaller(bearer(key), Date.now())!;
    const { kind } = await charge(state, caller, calls, Date.now());
    expect(kind).toBe("charged");
  } finally {
    await state.close();
  }
}
