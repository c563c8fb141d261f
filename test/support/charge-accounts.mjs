/**
 * A process that owns a state file and charges until it is killed, from what `make test` has built, since Node 20 does
 * not run TypeScript. It says "ready", waits for a line, and writes how many of its charges were confirmed after each
 * turn. Arguments: the file, a key, the instant, the number of requests of one turn.
 */
import { writeSync } from "node:fs";
import { parsePlans } from "../../dist/accounts/plans.js";
import { openSqliteState } from "../../dist/accounts/sqlite/open-sqlite-state.js";

const [file, key, instant, perTurn] = process.argv.slice(2);
const nowMs = Number(instant);
const clock = { nowMs: () => nowMs, monotonicMs: () => performance.now() };
const tiny = { name: "tiny", price_usd: null, calls_per_month: 1e9, rate_per_minute: 1e6 };
const plan = { ...tiny, backtest_units: null, concurrent_runs: null };
const plans = parsePlans(JSON.stringify({ plans: [plan] }), "tiny");
const accounts = openSqliteState({ file, plans, clock, roundMs: 5 });

let charged = 0;

/** Reports as an answer leaves a server: at once, and only after the charge was settled. */
function chargeForever() {
  const caller = accounts.knownCaller(`Bearer ${key}`, nowMs);
  let open = Number(perTurn);
  const settle = (outcome) => {
    if (outcome.kind === "charged") charged++;
    if (--open > 0) return;
    writeSync(1, `${charged}\n`);
    setImmediate(chargeForever);
  };
  for (let n = Number(perTurn); n > 0; n--) {
    const rate = accounts.admit(caller);
    const connection = { open: true };
    accounts.charge({ caller, units: 1, nowMs, endpoint: "/signals", connection, rate, settle });
  }
}

process.stdin.once("data", () => {
  process.stdin.pause();
  chargeForever();
});
writeSync(1, "ready\n");
