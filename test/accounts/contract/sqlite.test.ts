import { describe } from "vitest";
import { accountsContract } from "../../support/accounts-contract/contract.ts";
import { SqliteBench } from "../../support/accounts-contract/sqlite-bench.ts";

describe("accounts in a file", () => {
  accountsContract(async () => new SqliteBench());
});
