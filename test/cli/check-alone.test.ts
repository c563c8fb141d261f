import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGE = join(ROOT, "dist/hindsight-check");
const CASES = join(ROOT, "test/check/cases");
const SIZE_MAX = 640 * 1024;

/** Some of each kind of file. */
const FILES = ["kinds", "trades"]
  .flatMap((kind) => readdirSync(join(CASES, kind)).map((name) => join(CASES, kind, name)))
  .filter((file, at) => /\.(xlsx|htm)$/.test(file) || at % 12 === 0);

const folder = temporaryFolder("check-alone");
let program = "";
beforeAll(() => {
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: PACKAGE,
  });
  writeFileSync(join(folder, "package.json"), "{}");
  const archive = join(folder, packed.toString().trim());
  const install = ["install", "--silent", "--offline", "--no-audit", "--no-fund", archive];
  execFileSync("npm", install, { cwd: folder });
  program = join(folder, "node_modules/.bin/hindsight-check");
});

/** Runs the installed program far from any package of ours. */
function alone(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

describe("hindsight-check, installed from its archive without network", () => {
  test(`is a file of at most ${SIZE_MAX / 1024} KB, with nothing beside it`, () => {
    expect(statSync(join(PACKAGE, "hindsight-check.mjs")).size).toBeLessThan(SIZE_MAX);
    expect(readdirSync(join(folder, "node_modules"))).toEqual([
      ".bin",
      ".package-lock.json",
      "hindsight-check",
    ]);
    const there = ["README.md", "hindsight-check.mjs", "package.json"];
    expect(readdirSync(join(folder, "node_modules/hindsight-check")).sort()).toEqual(there);
  });

  test.each(FILES.map((file) => [file.slice(CASES.length), file]))(
    "says of %s what the command says",
    async (_, file) => {
      const args = [file, "--n-trials", "20", "--starting-capital", "10000", "--json"];
      const said = await runCommand("check", ...args);
      const err = said.err.replaceAll("hindsight check ", "hindsight-check ");
      expect(alone(...args)).toEqual({ ...said, err });
    },
  );

  test("has the version of the package, and writes the page and the Markdown", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    expect(alone("--version").out).toBe(`${version}\n`);
    const lines = Array.from(
      { length: 40 },
      (_, day) => `2024-01-${day + 1},${Math.sin(day) / 50}`,
    );
    writeFileSync(join(folder, "a|b @c.csv"), ["date,returns", ...lines.slice(0, 31)].join("\n"));
    const targets = ["--html", "report.html", "--markdown", "answer.md"];
    expect(alone("a|b @c.csv", "--n-trials", "9", ...targets).err).toContain("wrote report.html");
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("<!doctype html>");
    const markdown = readFileSync(join(folder, "answer.md"), "utf8");
    expect(markdown).toContain("### a\\|b &#64;c.csv\n");
    expect(markdown).toMatch(/\n\| judged \| .* 31 bars, 2024-01-01 to 2024-01-31 \|\n/);
  });
});

describe("the action", () => {
  const [, indented = ""] = /\n {6}run: \|\n((?: {8}.*\n)+)/.exec(
    readFileSync(join(ROOT, "action.yml"), "utf8"),
  )!;
  const steps = indented.replaceAll(/^ {8}/gm, "");
  const summary = join(folder, "summary.md");
  const canary = join(folder, "canary");

  /** Runs the steps with the installed program in the place of npx. */
  function acted(inputs: Readonly<Record<string, string>>) {
    const npx = join(folder, "npx");
    writeFileSync(npx, `#!/bin/sh\nshift 2\nexec ${program} "$@"\n`);
    chmodSync(npx, 0o755);
    writeFileSync(summary, "");
    const empty = { INPUT_N_TRIALS: "", INPUT_FAIL_ON: "", INPUT_ARGS: "", INPUT_VERSION: "" };
    const env = {
      PATH: `${folder}:${process.env["PATH"]}`,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ACTION_PATH: ROOT,
    };
    const { status, stdout } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", steps], {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, ...empty, ...inputs },
    });
    return { code: status, out: stdout, summary: readFileSync(summary, "utf8") };
  }

  test.each([
    "with blanks.csv",
    "$(touch canary).csv",
    "a'b\"c.csv",
    "`touch canary`.csv",
    "two\nlines.csv",
    "-n.csv",
    "a,b:c%d.csv",
  ])("passes on a file named %j as it is, and its verdict", (name) => {
    copyFileSync(join(folder, "a|b @c.csv"), join(folder, name));
    const inputs = { INPUT_FILE: name, INPUT_N_TRIALS: "200", INPUT_FAIL_ON: "inconclusive" };
    const { code, out, summary } = acted({ ...inputs, INPUT_ARGS: "--unit\nfraction\n" });
    expect(code).toBe(1);
    const property = name
      .replaceAll("%", "%25")
      .replaceAll("\n", "%0A")
      .replaceAll(":", "%3A")
      .replaceAll(",", "%2C");
    expect(out).toContain(`::error file=${property}::`);
    expect(summary).toMatch(/^### .*\n\n.+\n\n\| \| \|\n/);
    expect(() => statSync(canary)).toThrow("ENOENT");
  });

  test("ends with 2 where there is no file, and says so", () => {
    const { code, out } = acted({ INPUT_FILE: "not-there.csv" });
    expect(code).toBe(2);
    expect(out).toContain("::error file=not-there.csv::error: can't read");
  });

  test("lets no text of a file speak to the runner", () => {
    writeFileSync(
      join(folder, "speaks.csv"),
      "date,returns\n::set-output name=x::y,1\n2024-01-02,::error::z\n",
    );
    const { out } = acted({ INPUT_FILE: "speaks.csv" });
    const [, pause = ""] = /^::stop-commands::(\d+)\n/.exec(out)!;
    expect(out.slice(0, out.indexOf(`\n::${pause}::\n`))).toContain("::");
    expect(out.split(`::${pause}::\n`)[1]!.trim().split("\n")).toHaveLength(1);
  });

  test("is described for assistants by options that it has", () => {
    const skill = readFileSync(join(ROOT, "skills/hindsight-check/SKILL.md"), "utf8");
    const [, name, description] = /^---\nname: (.*)\ndescription: (.*)\n/.exec(skill)!;
    expect([name, description!.length < 1024]).toEqual(["hindsight-check", true]);
    const help = alone("--help").out;
    const named = new Set(skill.match(/(?<=[` ])--[a-z][a-z-]+/g));
    for (const option of named) expect(`${help} --yes `).toContain(`${option} `);
  });
});
