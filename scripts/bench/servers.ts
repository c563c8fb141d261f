/** The three servers of a comparison, each in a process of its own, on the same snapshot and with the same keys. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KeyStore } from "./alternative/key-store.ts";
import { ChildServer, startHindsight } from "../support/child-server.ts";
import { LOAD_PLANS, type MadeAccount, type Store } from "../support/made-accounts.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";

const BARE = fileURLToPath(new URL("./bare-server.js", import.meta.url));
const ALTERNATIVE = fileURLToPath(new URL("./alternative/main.js", import.meta.url));

/** `hindsight serve` with the usual arguments. */
export function startOurs(snapshots: string, store: Store) {
  return startHindsight(serveArgs(snapshots, store));
}

/** Of a server on a free port. */
export function serveArgs(snapshots: string, { state, plans }: Store, port = 0): string[] {
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
export function startAlternative(
  folder: string,
  snapshotDir: string,
  accounts: readonly MadeAccount[],
) {
  const state = join(folder, "alternative.db");
  const store = new KeyStore(state);
  for (const { id, key, plan } of accounts) {
    const { calls_per_month, rate_per_minute } = LOAD_PLANS.find(({ name }) => name === plan)!; // made with them
    store.add(key, { account_id: id, plan, calls_per_month, rate_per_minute });
  }
  store.close();
  const order = JSON.stringify({ snapshot: snapshotDir, state });
  return ChildServer.start({ script: ALTERNATIVE, args: [order] });
}
