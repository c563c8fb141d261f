import { expect, test } from "vitest";
import { BUILT_IN_PLANS } from "../../../server/accounts/plans.ts";
import { metaText } from "../../../server/requests/meta-text.ts";

const plan = (name: string) => ({ ...BUILT_IN_PLANS.get("free")!, name });

test("the end of an answer is the account's plan and month, as JSON has them", () => {
  const plans = [plan("free"), plan("a-plan_2")];
  for (const limit of [100, 1e12, 100]) {
    for (const each of plans) {
      for (const used of [0, 7, 100, 2 ** 40]) {
        const remaining = Math.max(0, limit - used);
        const text = JSON.stringify({ plan: each.name, quota: { used, limit, remaining } });
        expect(metaText(each, used, { limit, remaining })).toBe(text);
      }
    }
  }
});
