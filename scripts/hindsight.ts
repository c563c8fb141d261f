#!/usr/bin/env -S node --v8-pool-size=1
import type * as Program from "../cli/program.ts";

const bundle = new URL("../bundle/program.js", import.meta.url).href;
const program = (await import(bundle)) as typeof Program;
await program.main();
