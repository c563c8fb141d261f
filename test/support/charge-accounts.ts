/**
 * A process that charges: run by tests as a child, several at once or killed in the middle. It says
 * "ready", waits for a line, charges, and writes how many of its charges it was told are done.
 */
import { writeSync } from "node:fs";
import type { ChargeRequest } from "../../server/accounts/accounts.ts";
import { openEmbeddedAccounts } from "../../server/accounts/embedded/embedded-accounts.ts";
import { parsePlans } from "../../server/accounts/plans.ts";
import { steadyClock } from "../../server/accounts/steady-clock.ts";
import type { ChargingOrder } from "./built-accounts.ts";

const order = JSON.parse(process.argv[2] ?? "") as ChargingOrder;
const plan = { name: "tiny", price_usd: null, calls_per_month: order.callsPerMonth };
const rest = { rate_per_minute: 1_000_000, backtest_units: null, concurrent_runs: null };
const plans = parsePlans(JSON.stringify({ plans: [{ ...plan, ...rest }] }), "tiny");
const clock = { nowMs: () => order.nowMs, monotonicMs: steadyClock() };
const accounts = openEmbeddedAccounts({
  file: order.file,
  plans,
  clock,
  housekeepingMs: order.mode === "forever" ? 5 : null,
});

let charged = 0;
let refused = 0;
let failed = 0;

function chargeGroup(done: () => void): void {
  const caller = accounts.authenticate(order.key, order.nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  let open = order.charges;
  const settle: ChargeRequest["settle"] = (outcome) => {
    if (outcome instanceof Error) failed++;
    else if (outcome.charged) charged++;
    else refused++;
    if (--open === 0) done();
  };
  for (let n = 0; n < order.charges; n++) {
    accounts.chargeLater({ caller, units: 1, nowMs: order.nowMs, endpoint: "/signals", settle });
  }
}

/** As an answer leaves a server: at once, and only after the charge was settled. */
function forever(): void {
  chargeGroup(() => {
    writeSync(1, `${charged}\n`);
    setImmediate(forever);
  });
}

process.stdin.once("data", () => {
  process.stdin.pause();
  if (order.mode === "forever") {
    forever();
    return;
  }
  chargeGroup(() => {
    writeSync(1, `${JSON.stringify({ charged, refused, failed })}\n`);
    void accounts.close();
  });
});
writeSync(1, "ready\n");
