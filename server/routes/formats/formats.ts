import { csv } from "./csv.ts";
import type { AnswerFormat } from "./format.ts";
import { json } from "./json.ts";

/** Every format of answers; the first is for callers that want none in particular. */
export const FORMATS: readonly AnswerFormat[] = [json, csv];

/** Those of answers without rows. */
export const ONLY_JSON: readonly AnswerFormat[] = [json];
