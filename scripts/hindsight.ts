#!/usr/bin/env -S node --v8-pool-size=1
import { programFile } from "./program-file.ts";
import type * as Program from "./program.ts";

/** A reader that has seen enough (`hindsight accounts list | head`) is no failure. A full disk is. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  console.error(`error: cannot write to standard output: ${error.message}`);
  process.exit(1);
});

const program = (await import(programFile(import.meta.url))) as typeof Program;
const exitCode = await program.runProgram(process.argv.slice(2));
// 0 leaves the code alone that a command set for itself. What failed ends, whatever it left open: a channel to the
// process that started it would keep it, and a signal that it already answers to would not end it.
if (exitCode !== 0) process.exit(exitCode);
