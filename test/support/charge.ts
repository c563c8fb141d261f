import type { Accounts, Caller, ChargeOutcome } from "../../server/accounts/accounts.ts";

/** A request of an account as a promise: where nothing else is said, of a call as nearly all are. */
export function charge(
  accounts: Pick<Accounts, "admit" | "charge">,
  caller: Caller,
  units: number,
  nowMs: number,
  endpoint = "/signals",
): Promise<ChargeOutcome> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: ChargeOutcome | Error) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const rate = accounts.admit(caller, nowMs);
    accounts.charge({ caller, units, nowMs, endpoint, rate, connection: { open: true }, settle });
  });
}
