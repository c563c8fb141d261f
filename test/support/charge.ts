import type { Accounts, Caller, ChargeDecision } from "../../server/accounts/accounts.ts";

/** A charge as a promise. */
export function charge(
  accounts: Pick<Accounts, "charge">,
  caller: Caller,
  units: number,
  nowMs: number,
  endpoint = "",
): Promise<ChargeDecision> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: ChargeDecision | Error) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    accounts.charge({ caller, units, nowMs, endpoint, settle });
  });
}
