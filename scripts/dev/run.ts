/**
 * `make run`: everything a newcomer needs for a first answer, in one command. Publishes a demo snapshot if there
 * is none, makes an account with a paid plan, prints its key and a ready curl line, and serves.
 *
 *   node dist/scripts/dev/run.js
 *
 * Another port: `make run PORT=8081`. It takes no arguments but the variables of `hindsight serve`:
 * HINDSIGHT_HOST, HINDSIGHT_PORT, HINDSIGHT_SNAPSHOTS, HINDSIGHT_STATE. A key can be printed only when it is made,
 * so every further run replaces the key of the one before it.
 */
import { fork, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { originOf } from "../../server/http/origin.ts";
import { HINDSIGHT } from "../support/child-processes.ts";
import { DEFAULT_SNAPSHOTS } from "../cli/shared-options.ts";
import { SERVER_NODE_FLAGS } from "../cli/node-flags.ts";
import { scriptOptions } from "../support/script-options.ts";

const SNAPSHOTS = process.env["HINDSIGHT_SNAPSHOTS"] ?? DEFAULT_SNAPSHOTS;
const HOST = process.env["HINDSIGHT_HOST"] ?? "127.0.0.1";
const PORT = process.env["HINDSIGHT_PORT"] || "8080"; // empty is not set
const PORT_MAX = 65_535;
const EMAIL = "demo@hindsight.invalid";
const PLAN = "scale";
/** How long the key of an earlier run still works: a shell or another server may be using it. */
const GRACE_HOURS = 24;
/** A tenth of the permutations behind the index's band: enough to show it, and a shorter wait for a newcomer. */
const INDEX_DRAWS = 20;
const ROBUSTNESS_DRAWS = 4;

/** Runs one hindsight command to its end. If it fails, ends this program with its exit code. */
function hindsight(args: readonly string[], output: "inherit" | "pipe"): string {
  const child = spawnSync(process.execPath, [HINDSIGHT, ...args], {
    stdio: ["ignore", output, "inherit"],
    encoding: "utf8",
  });
  if (child.status !== 0) process.exit(child.status ?? 1);
  return child.stdout ?? "";
}

function hindsightJson(...args: readonly string[]): unknown {
  return JSON.parse(hindsight([...args, "--json"], "pipe"));
}

interface ListedAccount {
  readonly account_id: string;
  readonly email: string;
}

interface ListedKey {
  readonly key_id: string;
  readonly env: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

interface ListedSnapshot {
  readonly current: boolean;
  readonly synthetic?: boolean;
}

interface MadeKey {
  readonly key: string;
  /** The id of the key that it replaces. */
  readonly replaces?: string;
}

/** A key for the demo account: its first one, or one that replaces that of the run before. */
function demoKey(): MadeKey {
  const accounts = hindsightJson("accounts", "list") as ListedAccount[];
  const known = accounts.find((account) => account.email === EMAIL);
  const made =
    known === undefined
      ? hindsightJson("accounts", "create", "--email", EMAIL, "--plan", PLAN)
      : nextKey(known.account_id);
  return made as MadeKey;
}

function nextKey(account: string): unknown {
  const keys = hindsightJson("keys", "list", "--account", account) as ListedKey[];
  const last = keys.findLast(
    (key) => key.env === "live" && key.expires_at === null && key.revoked_at === null,
  );
  return last === undefined
    ? hindsightJson("keys", "create", "--account", account, "--env", "live")
    : hindsightJson("keys", "rotate", "--id", last.key_id, "--grace", `${GRACE_HOURS}h`);
}

/** The port, once it is known to be free: checked before a key is made. */
async function checkedPort(): Promise<number> {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > PORT_MAX) {
    console.error(
      `error: HINDSIGHT_PORT takes a whole number from 0 to ${PORT_MAX}, got "${PORT}"`,
    );
    process.exit(1);
  }
  const probe = createServer();
  try {
    probe.listen(Number(PORT), HOST);
    await once(probe, "listening");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`error: ${reason}; another port: make run PORT=8081`);
    process.exit(1);
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Ends where no server could start, before a snapshot is computed and a key made. */
async function checkLibrary(): Promise<void> {
  try {
    await import("../../server/http/socket-library.ts");
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

/** Whether the market to be served is made up; also false if its snapshot cannot be read, which the server reports. */
function isMadeUp(): boolean {
  const listed = hindsightJson("snapshot", "list", "--snapshots", SNAPSHOTS) as ListedSnapshot[];
  return listed.some(({ current, synthetic }) => current && synthetic === true);
}

scriptOptions(import.meta.url, {});
await checkLibrary();
const port = await checkedPort();
if (!existsSync(join(SNAPSHOTS, "CURRENT"))) {
  console.log("No snapshot yet: publishing the demo market (made-up prices, no network).\n");
  const quick = [
    "--index-draws",
    String(INDEX_DRAWS),
    "--robustness-draws",
    String(ROBUSTNESS_DRAWS),
  ];
  hindsight(["pipeline", "--source", "demo", "--out", SNAPSHOTS, ...quick], "inherit");
}

const { key, replaces } = demoKey();
const origin = originOf(HOST, port);
const former =
  replaces === undefined
    ? ""
    : `\nThe key of the run before works for another ${GRACE_HOURS} hours.\n`;
console.log(`
A key on the plan "${PLAN}" (shown once; it is stored as a hash):

  ${key}
${former}
Ask something:

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/signals?coin=btc'

Open: ${origin}/   Read: ${origin}/docs   Stop: Ctrl-C
${isMadeUp() ? "\nThe prices are made up: no figure says anything about a real coin.\n" : ""}`);

const where = ["--host", HOST, "--port", String(port), "--snapshots", SNAPSHOTS];
// The channel to the server closes when this program ends, however it ends, and the server then ends in
// order.
const server = fork(HINDSIGHT, ["serve", ...where], { execArgv: [...SERVER_NODE_FLAGS] });
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // A terminal's Ctrl-C has reached the server already; a second signal would end it at once.
  process.on(signal, () => server.connected && server.disconnect());
}
server.on("exit", (code) => process.exit(code ?? 1));
