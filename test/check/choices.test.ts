import { expect, test } from "vitest";
import { askedText, choicesOf } from "../../check/choices.ts";

test("a question's own words stand; where it gives only values, the usual ones do", () => {
  const choices = [
    { value: "detected", text: "5,000 is taken out of each" },
    { value: "none", label: "No", text: "" },
    { value: "deposits", text: "" },
  ];
  expect(choicesOf({ option: "flows", text: "?", choices })).toEqual([
    { value: "detected", label: "Yes, I paid money in", text: "5,000 is taken out of each" },
    { value: "none", label: "No", text: "the jumps count as profit" },
    { value: "deposits", text: "" },
  ]);
});

test("units, dates and yes or no are the same for every file; columns and amounts are not", () => {
  const values = (option: "unit" | "allIn" | "benchmark" | "startingCapital") =>
    choicesOf({ option, text: "?", choices: [] }).map(({ value }) => value);
  expect(values("unit")).toEqual(["fraction", "percent", "log"]);
  expect(values("allIn")).toEqual(["true", "false"]);
  expect(values("benchmark")).toEqual([]);
  expect(values("startingCapital")).toEqual([]);
});

test("one line says what is asked, why, and every answer", () => {
  const questions = [
    { option: "unit", text: "which unit?", why: "Both fit.", choices: [] },
    { option: "startingCapital", text: "how much?", choices: [] },
  ] as const;
  const line = askedText(questions, (option, value = "") => `${option}=${value}`);
  expect(line).toBe(
    "which unit? Both fit. (unit=fraction or unit=percent or unit=log) how much? (startingCapital=)",
  );
});
