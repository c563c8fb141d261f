/** Entry point of the process that checks one file and ends: see `run-check.ts`. */
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { answerCheck } from "./answer-check.ts";
import type { CheckOrder } from "./check-task.ts";

const OOM_SCORE_FILE = "/proc/self/oom_score_adj";
const OOM_SCORE_MAX = "1000";
const LINE_END = 10;

/** Where memory runs out, this process is the one to end. */
function dieFirst(): void {
  if (process.platform === "linux") writeFileSync(OOM_SCORE_FILE, OOM_SCORE_MAX);
}

dieFirst();
const sent = await buffer(process.stdin);
const end = sent.indexOf(LINE_END);
const order = JSON.parse(sent.toString("utf8", 0, end)) as CheckOrder;
process.stdout.write(JSON.stringify(await answerCheck(sent.subarray(end + 1), order)));
