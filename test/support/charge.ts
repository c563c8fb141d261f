import type { Accounts, Caller, ChargeOutcome } from "../../accounts/accounts.ts";

/** Charges a call as the server does, as a promise. */
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
