import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckReport } from "../../api/check-report.ts";
import { answerCheck } from "../../server/checks/answer-check.ts";
import { check } from "../../server/routes/check.ts";
import { runCommand } from "../support/command-line.ts";
import { earlyCsv } from "../support/foresight.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const TEXT = earlyCsv();
const EARLY = join(temporaryFolder("early"), "early.csv");
writeFileSync(EARLY, TEXT);

test("a price that was known too early ends with exit code 1 and takes the place of would pass", async () => {
  const found = await runCommand("check", EARLY);
  expect(found.code).toBe(1);
  expect(found.out).toMatch(/^Not judged: its gains come on the very days on which it trades/);
  expect(found.out).toContain("a day later   Sharpe ratio 0.45 instead of 4.4\n");
  expect(found.out).not.toContain("would pass");
});

test("said to be within the day, it passes with the condition in its sentence", async () => {
  const said = await runCommand("check", EARLY, "--fills", "intraday", "--n-trials", "5");
  expect(said.code).toBe(0);
  const words = said.out.replaceAll("\n", " ");
  expect(words).toContain("if each fill came after its signal, as you said: one day later");
  expect((await runCommand("check", EARLY, "--fills", "close")).code).toBe(2);
});

test.each([[{}], [{ fills: "intraday" }]] as const)("HTTP says the same with %j", async (query) => {
  const flags = Object.entries(query).flatMap(([name, value]) => [`--${name}`, value]);
  const { out } = await runCommand("check", EARLY, "--json", "--n-trials", "5", ...flags);
  const asked = check.query.parse({ n_trials: "5", ...query });
  const options = check.optionsOf(undefined as never, asked); // no coin is named
  const order = { options, dir: "", form: undefined };
  const reply = await answerCheck(Buffer.from(TEXT), order);
  const { json } = reply as Extract<typeof reply, { kind: "report" }>;
  const [command, http] = [out, json].map((text) => JSON.parse(text) as CheckReport);
  expect(http!.timing).toEqual(command!.timing);
  expect(http!.verdict).toEqual(command!.verdict);
});
