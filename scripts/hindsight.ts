#!/usr/bin/env -S node --v8-pool-size=1
import { programFile } from "./cli/program-file.ts";
import type * as Program from "./cli/program.ts";

const program = (await import(programFile(import.meta.url))) as typeof Program;
await program.main();
