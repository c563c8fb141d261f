/** Entry point of the process that checks the files of a command and ends: see `check-aside.ts`. */
import { checkSent } from "./check-sent.ts";

await checkSent();
