import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { Command } from "commander";
import { accountsCommand } from "../../cli/accounts.ts";
import { choiceCommand } from "../../cli/choice.ts";
import { keysCommand } from "../../cli/keys.ts";
import { pipelineCommand } from "../../cli/pipeline.ts";
import { rerunCommand } from "../../cli/rerun.ts";
import { serveCommand } from "../../cli/serve.ts";
import { snapshotCommand } from "../../cli/snapshot.ts";
import { workCommand } from "../../cli/work.ts";
import { runCommand } from "../support/command-line.ts";

describe("hindsight", () => {
  test("--version is the package's", async () => {
    const manifest = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    const out = `${manifest.version}\n`;
    expect(await runCommand("--version")).toEqual({ code: 0, out, err: "" });
  });

  test("--help names every group of commands and how to begin", async () => {
    const { code, out } = await runCommand("--help");
    expect(code).toBe(0);
    for (const name of ["accounts", "keys", "pipeline", "serve", "snapshot"]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    }
    expect(out).toContain("Exit codes: 0 done, 1 failed, 2 a wrong command line.");
    expect(out).toContain("Start here:");
  });

  test("help alone shows the same as --help", async () => {
    expect(await runCommand("help")).toEqual(await runCommand("--help"));
  });

  test("without a command shows its help on standard error, as a wrong command line", async () => {
    const { code, out, err } = await runCommand();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: hindsight");
  });

  test.each([["accounts"], ["keys"], ["pipeline"], ["snapshot"], ["serve"], ["work"]])(
    "help and --help of %s show the same",
    async (name) => {
      const help = await runCommand("help", name);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: hindsight ${name}`);
      expect(await runCommand(name, "--help")).toEqual(help);
    },
  );

  test("work has no state of its own to offer, and says what it does without --threads", async () => {
    const { out } = await runCommand("work", "--help");
    expect(out).not.toContain("state/hindsight.db");
    expect(out.replace(/\s+/g, " ")).toContain("(default: one per core) (env: HINDSIGHT_THREADS)");
    vi.stubEnv("HINDSIGHT_STATE", undefined);
    const err = "error: required option '--state <address>' not given\n";
    expect(await runCommand("work")).toEqual({ code: 2, out: "", err });
    vi.unstubAllEnvs();
    const none = await runCommand("work", "--threads", "0");
    expect(none.code).toBe(2);
    expect(none.err).toContain("Allowed are whole numbers from 1 to 1024.");
  });

  test.each([
    ["help", "chioce"],
    ["chioce", "--help"],
  ])("%s %s is a wrong command line, said in one line", async (...args) => {
    const { code, out, err } = await runCommand(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /^error: there is no command "chioce": the commands are accounts, .*serve.*; did you mean "choice"\?\n$/,
    );
  });

  test.each([
    ["accounts", ["create", "list", "show", "set-plan"]],
    ["keys", ["create", "list", "rotate", "revoke"]],
  ])("%s --help describes each command, its options and their variables", async (group, names) => {
    for (const name of names) {
      const { out } = await runCommand(group, name, "--help");
      expect(out).toMatch(/--state <file\|address> [^]*env:\s+HINDSIGHT_STATE/);
      expect(out).toContain("--json");
    }
  });

  test("every option has the variable of its name, except where that would say too little", () => {
    const commands: Command[] = [
      accountsCommand(),
      choiceCommand(),
      keysCommand(),
      pipelineCommand(),
      rerunCommand(),
      serveCommand(),
      snapshotCommand(),
      workCommand(),
    ];
    const others = new Map<string, string>();
    for (const command of [...commands, ...commands.flatMap((each) => each.commands)]) {
      for (const { hidden, envVar = "none", long = "" } of command.options) {
        const expected = `HINDSIGHT_${long.slice(2).replaceAll("-", "_").toUpperCase()}`;
        if (!hidden && envVar !== expected) others.set(`${command.name()} ${long}`, envVar);
      }
    }
    const json = [...others.keys()].filter((name) => name.endsWith(" --json"));
    for (const name of json) {
      expect(others.get(name), `${name} has no environment variable`).toBe("none");
      others.delete(name);
    }
    expect(Object.fromEntries(others)).toEqual({
      "pull --id": "none",
      "pull --key-file": "none",
      "set-plan --plan": "none", // one left over from making an account would change another's plan
      "rotate --id": "HINDSIGHT_KEY_ID",
      "revoke --id": "HINDSIGHT_KEY_ID",
      "pipeline --out": "HINDSIGHT_SNAPSHOTS",
      "serve --no-accounts-page": "none", // it is that of --accounts-page
      // A variable that is left over would change or leave out what nobody asks it to.
      ...Object.fromEntries(
        ["address --to", "delete --yes", "create --name", "log --account"].map((each) => [
          each,
          "none",
        ]),
      ),
      ...Object.fromEntries(["usage", "since", "csv"].map((each) => [`list --${each}`, "none"])),
    });
  });

  test("an unknown option is one line with the nearest one, exit 2", async () => {
    const err = "error: unknown option '--verson' (Did you mean --version?)\n";
    expect(await runCommand("--verson")).toEqual({ code: 2, out: "", err });
  });
});
