/** A worker that takes a while to load, and notes that it has. */
import { appendFileSync } from "node:fs";

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
appendFileSync(process.env.HINDSIGHT_TEST_LOADED, "loaded\n");

export const answer = () => ({ ok: true, result: new Uint8Array() });
