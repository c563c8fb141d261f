import { expect, test } from "vitest";
import { Strategies } from "../../api/strategies.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { countSets, firstInputs, inputsOf, inputsQuery } from "../../web/browser/study-asked.ts";

const origin = { prices: "demo", snapshot: "s", asOf: 20_000, stale: false, synthetic: true };
const { templates } = Strategies.from({ origin, templates: CATALOGUE });
const maCross = templates.find(({ name }) => name === "ma_cross")!;
const first = firstInputs(maCross, "btc");

test("the form of every rule begins with legal sets, and few enough to run in a browser", () => {
  for (const template of templates) {
    const counted = countSets(template, firstInputs(template, "btc"));
    expect({ name: template.name, ...counted }).toHaveProperty("sets");
  }
});

test("lists and ranges are counted, and what is not legal is left out", () => {
  const of = (values: Record<string, string>) => countSets(maCross, { ...first, values });
  expect(of({ fast: "5, 10,20", slow: "10..30:10" })).toMatchObject({ sets: 6, illegal: 3 });
  expect(of({ fast: "x", slow: "30" })).toMatchObject({
    fault: expect.stringContaining('"fast"') as string,
  });
  expect(of({ fast: "1..100:1", slow: "101..110:1" })).toMatchObject({
    fault: expect.stringContaining("at most 500 sets run here, got 1000") as string,
  });
});

test("a link fills the form", () => {
  const other = { ...first, coin: "eth", fee: "0.3", values: { fast: "3..9:2", slow: "50" } };
  expect(inputsOf(inputsQuery(other), first)).toEqual(other);
  expect(inputsOf("?coin=eth", first)).toEqual({ ...first, coin: "eth" });
});
