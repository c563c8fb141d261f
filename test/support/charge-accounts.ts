/**
 * A process that owns a state file and charges until it is killed. It says "ready", waits for a line, and writes how
 * many of its charges were confirmed after each turn.
 */
import { writeSync } from "node:fs";
import type { ChargeRequest } from "../../server/accounts/accounts.ts";
import { openSqliteState } from "../../server/accounts/sqlite/open-sqlite-state.ts";
import { bearer } from "./bearer.ts";
import type { ChargingOrder } from "./built-accounts.ts";
import { tinyPlans } from "./accounts-fixture.ts";

const order = JSON.parse(process.argv[2] ?? "") as ChargingOrder;
const clock = { nowMs: () => order.nowMs, monotonicMs: () => performance.now() };
const plans = tinyPlans(1_000_000_000);
const accounts = openSqliteState({ file: order.file, plans, clock, roundMs: 5 });

let charged = 0;

/** Reports as an answer leaves a server: at once, and only after the charge was settled. */
function chargeForever(): void {
  const caller = accounts.authenticate(bearer(order.key), order.nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  let open = order.charges;
  const settle: ChargeRequest["settle"] = (outcome) => {
    if (!(outcome instanceof Error) && outcome.kind === "charged") charged++;
    if (--open > 0) return;
    writeSync(1, `${charged}\n`);
    setImmediate(chargeForever);
  };
  for (let n = 0; n < order.charges; n++) {
    const rate = accounts.admit(caller);
    const connection = { open: true };
    const request = { caller, units: 1, nowMs: order.nowMs, endpoint: "/signals", connection };
    accounts.charge({ ...request, rate, settle });
  }
}

process.stdin.once("data", () => {
  process.stdin.pause();
  chargeForever();
});
writeSync(1, "ready\n");
