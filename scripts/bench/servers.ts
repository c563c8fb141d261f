/**
 * The three servers of a comparison, each in a process of its own, on the same snapshot and with the same
 * keys.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KeyStore } from "./alternative/key-store.ts";
import { ChildServer, startHindsight } from "../support/child-server.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { LOAD_PLANS, type BenchState } from "./state-file.ts";

const BARE = fileURLToPath(new URL("./bare-server.js", import.meta.url));
const ALTERNATIVE = fileURLToPath(new URL("./alternative/main.js", import.meta.url));

/** `hindsight serve` with the usual arguments. */
export function startOurs(
  snapshots: string,
  { state, plans }: Pick<BenchState, "state" | "plans">,
) {
  return startHindsight(serveArgs(snapshots, state, plans));
}

/** Of a server on a free port. */
export function serveArgs(snapshots: string, state: string, plans: string, port = 0): string[] {
  const where = ["--snapshots", snapshots, "--state", state, "--plans", plans];
  return ["serve", "--host", "127.0.0.1", "--port", String(port), ...where];
}

/** The limit: a server that repeats recorded answers, by the name of their case. */
export function startBare(
  folder: string,
  answers: Readonly<Record<string, readonly RecordedAnswer[]>>,
) {
  const file = join(folder, "answers.json");
  writeFileSync(file, JSON.stringify(answers));
  return ChildServer.start({ script: BARE, args: [file], ipc: true });
}

/** The Fastify service, with the same keys on the same plans in a state file of its own. */
export function startAlternative(folder: string, snapshotDir: string, accounts: BenchState) {
  const state = join(folder, "alternative.db");
  const store = new KeyStore(state);
  const add = (key: string, plan: string, index: number) => {
    const row = LOAD_PLANS.find(({ name }) => name === plan);
    store.add(key, {
      account_id: `${plan}-${index}`,
      plan,
      calls_per_month: row?.calls_per_month ?? 0,
      rate_per_minute: row?.rate_per_minute ?? 0,
    });
  };
  for (const [index, key] of accounts.keys.entries()) add(key, "load", index);
  add(accounts.rateKey, "rate", 0);
  add(accounts.quotaKey, "quota", 0);
  store.close();
  const order = JSON.stringify({ snapshot: snapshotDir, state });
  return ChildServer.start({ script: ALTERNATIVE, args: [order] });
}
