import type { Accounts, ChargeDecision, ChargeRequest } from "./accounts.ts";

/** A charge as a promise, for callers that can afford one. */
export function charged(
  accounts: Pick<Accounts, "chargeLater">,
  request: Omit<ChargeRequest, "settle">,
): Promise<ChargeDecision> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: ChargeDecision | Error) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    accounts.chargeLater({ ...request, settle });
  });
}
