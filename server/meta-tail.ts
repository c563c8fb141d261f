import type { Plan } from "./accounts/accounts.ts";
import { bytesOf, ByteWriter } from "./http/byte-writer.ts";

/** What stands before and between the numbers of a plan's `meta`. */
interface MetaTexts {
  readonly used: Uint8Array;
  readonly remaining: Uint8Array;
  readonly limit: number;
}

const TAIL_BYTES = 256;
const tail = new ByteWriter(TAIL_BYTES);
const textsOfPlans = new WeakMap<Plan, MetaTexts>();
const END = bytesOf("}}}");

/**
 * The value of `meta`, which ends a 200: the account after the call. It stands in a memory that the next one takes:
 * it is sent before that.
 */
export function metaTail(
  plan: Plan,
  used: number,
  { limit, remaining }: { readonly limit: number; readonly remaining: number },
): Uint8Array {
  const texts = textsOf(plan, limit);
  tail.clear();
  tail.bytes(texts.used);
  tail.integer(used);
  tail.bytes(texts.remaining);
  tail.integer(remaining);
  tail.bytes(END);
  return tail.written;
}

function textsOf(plan: Plan, limit: number): MetaTexts {
  let texts = textsOfPlans.get(plan);
  if (texts === undefined || texts.limit !== limit) {
    texts = {
      // Plan names are letters, digits, "-" and "_": the plan table checks them.
      used: bytesOf(`{"plan":"${plan.name}","quota":{"used":`),
      remaining: bytesOf(`,"limit":${limit},"remaining":`),
      limit,
    };
    textsOfPlans.set(plan, texts);
  }
  return texts;
}
