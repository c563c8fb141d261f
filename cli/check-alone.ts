#!/usr/bin/env node
/**
 * `hindsight-check`: the command `hindsight check` as one file without packages. The process that reads a file, within limits
 * of time and memory, is this file again with `READ` as its argument.
 */
import { fileURLToPath } from "node:url";
import { checkCommand } from "./check.ts";
import { packageVersion } from "../server/package-version.ts";
import { readSent } from "./read-sent.ts";
import { runMain } from "./run-program.ts";

const READ = "read-sent-file";
const reader = [fileURLToPath(import.meta.url), READ] as const;

if (process.argv[2] === READ) await readSent();
else {
  await runMain(() => {
    return checkCommand(reader).name("hindsight-check").version(packageVersion(), "--version");
  });
}
