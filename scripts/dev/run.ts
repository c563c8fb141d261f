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
import { Command } from "commander";
import { connectToAdmin } from "../../accounts/admin-socket.ts";
import { AccountsRefused } from "../../accounts/refused.ts";
import { fileBehindLinks } from "../../accounts/sqlite/state-file.ts";
import { isLoopback, originOf } from "../../server/http/url.ts";
import { isRedisAddress } from "../../accounts/redis/address.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";
import { plansOption, snapshotsOption, stateOption } from "../../cli/shared-options.ts";
import { withAdmin, type StateOptions } from "../../cli/with-admin.ts";
import { HINDSIGHT } from "../support/child-processes.ts";
import { scriptOptions } from "../support/script-options.ts";

const HOST = process.env["HINDSIGHT_HOST"] ?? "127.0.0.1";
const PORT = process.env["HINDSIGHT_PORT"] || "8080"; // empty is not set
const PORT_MAX = 65_535;
const EMAIL = "demo@hindsight.invalid";
const PLAN = "scale";
/** How long the key of an earlier run still works: a shell or another server may be using it. */
const GRACE_HOURS = 24;
/** Enough to show every page, in a fraction of the time that a whole run takes. The pages say so. */
const DEMO = ["--index-months", "6", "--index-draws", "0", "--robustness-draws", "0"];

function fail(error: unknown, hint = ""): never {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}${hint}`);
  process.exit(1);
}

/** The places of snapshots and state, as the options of the server give them. */
function placesOf(): StateOptions & { readonly snapshots: string } {
  const command = new Command("run").addOption(snapshotsOption());
  return command
    .addOption(stateOption())
    .addOption(plansOption())
    .parse([], { from: "user" })
    .opts();
}

/** A key for the demo account, and the earlier run's key that it replaces, if there was one. */
async function demoKey(places: StateOptions) {
  return await withAdmin(places, { mustExist: false }, async (admin) => {
    const account = await admin.findAccount(EMAIL).catch((error: unknown) => {
      if (error instanceof AccountsRefused && error.code === "no_such_account") return undefined;
      throw error;
    });
    if (account === undefined) return await admin.createAccount({ email: EMAIL, plan: PLAN });
    const last = (await admin.listKeys(account.id)).findLast(
      ({ env, expiresMs, revokedMs }) => env === "live" && expiresMs === null && revokedMs === null,
    );
    return last === undefined
      ? await admin.createKey(account.id, "live")
      : await admin.rotateKey({ id: last.id }, GRACE_HOURS * 3_600_000);
  });
}

/** The port, if it is free. It is checked before a key is made. */
async function checkedPort(): Promise<number> {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > PORT_MAX) {
    fail(`HINDSIGHT_PORT takes a whole number from 0 to ${PORT_MAX}, got "${PORT}"`);
  }
  const probe = createServer();
  try {
    probe.listen(Number(PORT), HOST);
    await once(probe, "listening");
  } catch (error) {
    fail(error, "; another port: make run PORT=8081");
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Ends this run if another server has the state, because a new key would replace its own. */
async function checkState(state: string): Promise<void> {
  if (isRedisAddress(state) || (await connectToAdmin(fileBehindLinks(state))) === undefined) return;
  fail(`a server with the state "${state}" runs already; another beside it: HINDSIGHT_STATE=FILE`);
}

/** Whether the market to be served is made up; also false if its snapshot cannot be read, which the server reports. */
async function isMadeUp(snapshots: string): Promise<boolean> {
  return await currentSnapshot(snapshots)
    .then(readManifest)
    .then(
      ({ synthetic }) => synthetic,
      () => false,
    );
}

/** The way to sign in on this machine, where the link is printed instead of mailed. */
function wayIn(origin: string): string {
  return `
Your account: ${origin}/account
Any address will do; ${EMAIL} has the key above. The link is printed here, in a line of the log.
`;
}

scriptOptions(import.meta.url, {});
// Where no server could start, this ends before a snapshot is computed and a key made.
await import("../../server/http/socket-library.ts").catch(fail);
const port = await checkedPort();
const places = placesOf();
const { snapshots } = places;
await checkState(places.state).catch(fail);
if (!existsSync(join(snapshots, "CURRENT"))) {
  console.log(
    "No snapshot yet: publishing the demo market (made-up prices, no network), some 20 s of work.\n",
  );
  const args = ["pipeline", "--source", "demo", "--out", snapshots, "--progress", "text", ...DEMO];
  const { status } = spawnSync(process.execPath, [HINDSIGHT, ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const made = await demoKey(places).catch(fail);
const { key } = made;
const origin = originOf(HOST, port);
const former =
  "replaced" in made ? `\nThe key of the run before works for another ${GRACE_HOURS} hours.\n` : "";
console.log(`
A key on the plan "${PLAN}" (shown once; it is stored as a hash):

  ${key}
${former}
Ask something:

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/signals?coin=btc'

Open: ${origin}/   Read: ${origin}/docs   Stop: Ctrl-C
${isLoopback(HOST) ? wayIn(origin) : ""}${(await isMadeUp(snapshots)) ? "\nThe prices are made up: no figure says anything about a real coin.\n" : ""}`);

const where = ["--host", HOST, "--port", String(port), "--snapshots", snapshots];
// The channel to the server closes when this program ends, however it ends, and the server then ends in
// order.
const server = fork(HINDSIGHT, ["serve", ...where], { execArgv: [...SERVER_NODE_FLAGS] });
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // A terminal's Ctrl-C has reached the server already; a second signal would end it at once.
  process.on(signal, () => server.connected && server.disconnect());
}
server.on("exit", (code) => process.exit(code ?? 1));
