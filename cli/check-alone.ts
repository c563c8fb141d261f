#!/usr/bin/env node
/**
 * `hindsight-check`: the command `hindsight check` as one file without packages. The process that checks a file, within limits
 * of time and memory, is this file again with `CHECK` as its argument.
 */
import { fileURLToPath } from "node:url";
import { checkCommand } from "./check.ts";
import { packageVersion } from "../server/package-version.ts";
import { checkSent } from "./check-sent.ts";
import { runMain } from "./run-program.ts";

const CHECK = "check-sent-files";
const checker = [fileURLToPath(import.meta.url), CHECK] as const;

if (process.argv[2] === CHECK) await checkSent();
else {
  await runMain(() => {
    return checkCommand(checker).name("hindsight-check").version(packageVersion(), "--version");
  });
}
