import { adminContract } from "./admin-contract.ts";
import { authenticationContract } from "./authentication-contract.ts";
import type { AccountsBench } from "./bench.ts";
import { chargesContract } from "./charges-contract.ts";
import { linksContract } from "./links-contract.ts";
import { periodsContract } from "./periods-contract.ts";
import { recordsContract } from "./records-contract.ts";
import { reportContract } from "./report-contract.ts";
import { sessionsContract } from "./sessions-contract.ts";
import { sharesContract } from "./shares-contract.ts";

/** The contract of a store of accounts. */
export function accountsContract(open: () => Promise<AccountsBench>): void {
  authenticationContract(open);
  recordsContract(open);
  adminContract(open);
  linksContract(open);
  sessionsContract(open);
  sharesContract(open);
  chargesContract(open);
  periodsContract(open);
  reportContract(open);
}
