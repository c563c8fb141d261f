import type { Plan } from "../accounts/accounts.ts";
import { ByteWriter } from "../http/byte-writer.ts";
import { constantText, type ConstantText } from "../http/constant-text.ts";

/** The text before and between the numbers of a plan's `meta`. */
interface MetaTexts {
  readonly used: ConstantText;
  readonly remaining: ConstantText;
  readonly limit: number;
}

const TAIL_BYTES = 256;
const tail = new ByteWriter(TAIL_BYTES);
const textsOfPlans = new WeakMap<Plan, MetaTexts>();
const END = constantText("}}}");

/**
 * The value of `meta`, which ends a 200: the account after this call. The next tail reuses the memory, so
 * send this one first.
 */
export function metaTail(
  plan: Plan,
  used: number,
  { limit, remaining }: { readonly limit: number; readonly remaining: number },
): Uint8Array {
  const texts = textsOf(plan, limit);
  tail.clear();
  tail.constant(texts.used);
  tail.integer(used);
  tail.constant(texts.remaining);
  tail.integer(remaining);
  tail.constant(END);
  return tail.written;
}

function textsOf(plan: Plan, limit: number): MetaTexts {
  let texts = textsOfPlans.get(plan);
  if (texts === undefined || texts.limit !== limit) {
    texts = {
      // Needs no escaping: the plan table only allows letters, digits, "-" and "_" in plan names.
      used: constantText(`{"plan":"${plan.name}","quota":{"used":`),
      remaining: constantText(`,"limit":${limit},"remaining":`),
      limit,
    };
    textsOfPlans.set(plan, texts);
  }
  return texts;
}
