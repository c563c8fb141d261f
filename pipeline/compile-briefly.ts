import { setFlagsFromString } from "node:v8";

/** How much of other functions' bytecode V8 copies into one that it optimises; by default 920 bytes. */
const INLINED_BYTES = 250;

/**
 * Makes V8 spend less on optimising, in this process and its threads. A run lasts seconds, each of its threads
 * compiles for itself, and compiling was a fifth of its CPU time; a third of that went into copies of functions.
 * Code that runs for minutes, the band of a month, is some percent slower for it.
 */
export function compileBriefly(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTES}`);
}
