import { describe } from "vitest";
import { accountsContract } from "../../../support/accounts-contract/contract.ts";
import { EmbeddedBench } from "../../../support/accounts-contract/embedded-bench.ts";

describe("accounts in a file", () => {
  accountsContract(async () => new EmbeddedBench());
});
