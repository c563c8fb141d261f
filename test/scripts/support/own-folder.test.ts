import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { builtScript } from "../../support/built-script.ts";

const URLS = ["own-folder", "child-processes"].map((name) => `"file://${builtScript(name)}"`);

/** Makes a folder, starts a process that would go on for long, and says where the folder is. */
const PROGRAM = `
const { spawn } = await import("node:child_process");
const { ownFolder } = await import(${URLS[0]});
const { watched } = await import(${URLS[1]});
const folder = ownFolder("test");
watched(spawn("sleep", ["600"], { stdio: ["ignore", "inherit", "ignore"] }));
console.log(folder);
if (process.argv[1] === "fail") throw new Error("it fails");
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 130],
  ["SIGHUP", 130],
  ["fail", 1],
] as const)("after %s, nothing is left behind", async (how, exitCode) => {
  const args = ["--input-type=module", "-e", PROGRAM, how];
  const program = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [text] = (await once(program.stdout, "data")) as [Buffer];
  const folder = text.toString().trim();
  const ended = once(program.stdout, "close"); // its process has the same output
  if (how !== "fail") for (let time = 0; time < 2; time++) program.kill(how);
  expect((await once(program, "exit"))[0]).toBe(exitCode);
  expect(existsSync(folder)).toBe(false);
  await ended;
});
