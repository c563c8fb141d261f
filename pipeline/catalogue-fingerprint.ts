import { createHash } from "node:crypto";
import { STUDIED } from "../quant/strategies/studied.ts";

const LENGTH = 16;

/**
 * Short hash of the templates and their variants. The code of a rule is not part of it, so a rule that decides
 * differently must raise the dataset's method (`DATASET_METHOD`) and the index's version.
 */
export function catalogueFingerprint(): string {
  const facts = STUDIED.map(({ name, family, variants }) => [name, family, variants]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, LENGTH);
}
