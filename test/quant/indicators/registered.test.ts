import { Indicators } from "../../../api/reading.ts";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { readingAt } from "../../../quant/signals/reading.ts";
import { snakeCase } from "../../../quant/letter-case.ts";
import { INDICATOR_COLUMNS } from "../../../snapshots/tables/indicators.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

/** CONTRIBUTING.md, "An indicator": what its files have to name. */
const FOLDER = fileURLToPath(new URL("../../../quant/indicators", import.meta.url));
const BARS = madeUpBars({ seed: 1, days: 300 });

test("every indicator is used by a column, another indicator or a template", () => {
  const folders = [FOLDER, fileURLToPath(new URL("../../../quant/strategies", import.meta.url))];
  const code = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8")),
  );
  const unused = readdirSync(FOLDER)
    .filter((name) => name !== "columns.ts")
    .filter((name) => !code.some((text) => text.includes(`/${name}"`)));
  expect(unused).toEqual([]);
});

test("every column of the table is called as what it is computed as", () => {
  const spelled = (name: string) => name.replaceAll("_", "").toLowerCase();
  const computed = Object.keys(computeIndicators(BARS)).map(spelled);
  const columns = INDICATOR_COLUMNS.map(({ name }) => spelled(name.replace(/_pct$/, "")));
  expect(columns.sort()).toEqual(computed.sort());
});

test("every indicator of a reading has its member in GET /signals, spelled the same way", () => {
  const { indicators } = readingAt(BARS, computeIndicators(BARS), 299);
  const members = Object.keys(Indicators.members);
  const spelled = Object.keys(indicators).map((name) => {
    const member = snakeCase(name);
    return members.includes(`${member}_pct`) ? `${member}_pct` : member;
  });
  expect(spelled.sort()).toEqual(members.sort());
});
