#!/usr/bin/env -S node --v8-pool-size=1
import type * as Program from "./cli/program.ts";

/** A reader that stops early (`hindsight accounts list | head`) is no failure. A full disk is one. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  console.error(`error: cannot write to standard output: ${error.message}`);
  process.exit(1);
});

const bundle = new URL("../bundle/program.js", import.meta.url).href;
const program = (await import(bundle)) as typeof Program;
const exitCode = await program.runProgram(process.argv.slice(2));
// With 0, the exit code that a command set for itself is kept. Otherwise exit, whatever is still open: a
// channel to the parent would keep the process alive, and a signal that it has already handled would not end
// it.
if (exitCode !== 0) process.exit(exitCode);
