/** Entry point of the process that reads one file and ends: see `read-aside.ts`. */
import { readSent } from "./read-sent.ts";

await readSent();
