import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PlanInForce } from "../../api/usage.ts";
import { planOf, PlanRow, PRICE_LIST } from "../../accounts/plans.ts";

const MEMBERS = Object.keys(PlanRow.shape);

describe("a member of a plan is everywhere", () => {
  test("in answers as in a plan file", () => {
    for (const plan of PRICE_LIST) {
      const { trial_ends_at: _, ...answer } = PlanInForce.from({ ...plan, trialEndsMs: null });
      expect(Object.keys(answer)).toEqual(MEMBERS);
      expect(planOf(PlanRow.parse(answer))).toEqual(plan);
    }
  });

  test("in the example of a plan file in docs/reference.md", () => {
    const [, example = ""] = /^## Plans$.*?```json\n(.*?)```/ms.exec(
      readFileSync("docs/reference.md", "utf8"),
    )!;
    const { plans } = JSON.parse(example) as { plans: object[] };
    for (const plan of plans) {
      expect(Object.keys(plan)).toEqual(MEMBERS);
      PlanRow.parse(plan);
    }
  });

  test("in the price list of docs/api.md", () => {
    const rows = readFileSync("docs/api.md", "utf8").matchAll(/^\| `(\w+)` +\|(.*)\|$/gm);
    const cellsOf = new Map([...rows].map(([, name, cells]) => [name, cells!.split("|")]));
    for (const { name, ...limits } of PRICE_LIST) {
      const values = cellsOf.get(name)!.map((cell) => {
        const digits = /[\d,]+/.exec(cell)?.[0].replaceAll(",", "");
        if (digits !== undefined) return Number(digits);
        return cell.trim() === "yes" || (cell.trim() === "no" ? false : null);
      });
      expect({ name, values }).toEqual({ name, values: Object.values(limits) });
    }
  });
});
