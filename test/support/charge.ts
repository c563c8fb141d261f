import type { Accounts, Caller, ChargeDecision } from "../../server/accounts/accounts.ts";

/** A charge as a promise: where nothing else is said, of a call as nearly all are. */
export function charge(
  accounts: Pick<Accounts, "charge">,
  caller: Caller,
  units: number,
  nowMs: number,
  endpoint = "/signals",
): Promise<ChargeDecision> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: ChargeDecision | Error) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    accounts.charge({ caller, units, nowMs, endpoint, settle });
  });
}
