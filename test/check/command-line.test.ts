import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkCommandOf, flagsOf, shellWord } from "../../check/command-line.ts";

/** The words that a shell makes of a line. */
function wordsOf(line: string): readonly string[] {
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { cwd: "/" });
  return printed.toString().split("\0").slice(0, -1);
}

test("a shell reads every word as it is", () => {
  const drawn = fc.sample(fc.string({ unit: "binary", maxLength: 40 }), 500);
  const texts = drawn.map((text) => text.replaceAll("\0", "")); // no word holds one
  expect(wordsOf(texts.map(shellWord).join(" "))).toEqual(texts);
});

test("headers that a shell would change are quoted, others stand plain", () => {
  const headers = ["#3", "~", "a b", "it's", "$x", "*", "P&L", "ret (%)", "a;b", "", "収益", "-x"];
  expect(wordsOf(headers.map(shellWord).join(" "))).toEqual(headers);
  for (const plain of ["equity", "cum_pnl.2", "Europe/Berlin", "0.5", "a#3"])
    expect(shellWord(plain)).toBe(plain);
});

test("options are typed with dashes: a list repeats, a yes has no value, what isn't given is left out", () => {
  const options = {
    startingCapital: 10_000,
    leaveOut: ["cash", "rsi 14"],
    column: undefined,
    allIn: true,
    dates: "day-first",
  };
  expect(flagsOf(options)).toEqual([
    "--starting-capital 10000",
    "--leave-out cash",
    "--leave-out 'rsi 14'",
    "--all-in",
    "--dates day-first",
  ]);
  expect(flagsOf({ allIn: false })).toEqual([]);
  expect(flagsOf({ all_in: "true", n_trials: "40" })).toEqual(["--all-in", "--n-trials 40"]);
});

test("a file's name is no option", () => {
  expect(checkCommandOf("-x.csv", ["--column a"])).toBe("hindsight check ./-x.csv --column a");
  expect(checkCommandOf("my log.csv", [])).toBe("hindsight check 'my log.csv'");
});
