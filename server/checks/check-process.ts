/** Entry point of the process that checks one file and ends: see `run-check.ts`. */
import { answerCheck } from "./answer-check.ts";
import type { CheckOrder } from "./check-task.ts";
import { answer, sentFile } from "./sent-file.ts";

const { order, file } = sentFile();
answer(await answerCheck(file, order as CheckOrder));
