/**
 * A process that charges. Tests run it as a child, several at once, or kill it in the middle. It says
 * "ready", waits for a line, charges, and writes how many of its charges were confirmed.
 */
import { writeSync } from "node:fs";
import type { ChargeRequest } from "../../server/accounts/accounts.ts";
import { EmbeddedAccounts } from "../../server/accounts/sqlite/embedded-accounts.ts";
import { parsePlans } from "../../server/accounts/plans.ts";
import { RATE_WINDOW_MS } from "../../server/accounts/rate.ts";
import { steadyClock } from "../../server/accounts/steady-clock.ts";
import { callerOf } from "./accounts-fixture.ts";
import type { ChargingOrder } from "./built-accounts.ts";

const order = JSON.parse(process.argv[2] ?? "") as ChargingOrder;
const plan = { price_usd: null, calls_per_month: order.callsPerMonth };
const rest = {
  rate_per_minute: order.ratePerMinute ?? 1_000_000,
  backtest_units: null,
  concurrent_runs: null,
};
const rows = ["tiny", "trial"].map((name) => ({ name, ...plan, ...rest }));
const plans = parsePlans(JSON.stringify({ plans: rows }), "tiny");
const steadyMs = steadyClock();
const clock = { nowMs: () => order.nowMs, monotonicMs: () => steadyMs() * (order.speed ?? 1) };
const accounts = new EmbeddedAccounts({
  file: order.file,
  plans,
  clock,
  housekeepingMs: order.mode === "forever" ? 5 : null,
  lockWaitMs: 20_000 * (order.speed ?? 1), // measured on the fast clock
});

let charged = 0;
let refused = 0;
let failed = 0;

function chargeGroup(done: () => void): void {
  const caller = callerOf(accounts, order.key, order.nowMs);
  let open = order.charges;
  const settle: ChargeRequest["settle"] = (outcome) => {
    if (outcome instanceof Error) failed++;
    else if (outcome.charged) charged++;
    else refused++;
    if (--open === 0) done();
  };
  for (let n = 0; n < order.charges; n++) {
    accounts.charge({ caller, units: 1, nowMs: order.nowMs, endpoint: "/signals", settle });
  }
}

/** Reports as an answer leaves a server: at once, and only after the charge was settled. */
function forever(): void {
  chargeGroup(() => {
    writeSync(1, `${charged}\n`);
    setImmediate(forever);
  });
}

/** Records an instant just before and one just after each admission, which happened somewhere in between. */
async function admitForThreeWindows(): Promise<void> {
  const admitted: [number, number][] = [];
  const caller = callerOf(accounts, order.key, order.nowMs);
  const endMs = clock.monotonicMs() + 3 * RATE_WINDOW_MS;
  for (let nowMs = clock.monotonicMs(); nowMs < endMs; nowMs = clock.monotonicMs()) {
    const decision = await accounts.admit(caller, order.nowMs);
    if (decision.admitted) admitted.push([nowMs, clock.monotonicMs()]);
  }
  writeSync(1, `${JSON.stringify(admitted)}\n`);
  await accounts.close();
}

process.stdin.once("data", () => {
  process.stdin.pause();
  if (order.mode === "forever") {
    forever();
    return;
  }
  if (order.mode === "admit") {
    void admitForThreeWindows();
    return;
  }
  chargeGroup(() => {
    writeSync(1, `${JSON.stringify({ charged, refused, failed })}\n`);
    void accounts.close();
  });
});
writeSync(1, "ready\n");
