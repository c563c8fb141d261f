import { JSON_TYPE } from "../../http/reply.ts";
import type { AnswerFormat } from "./format.ts";

/** The text before an answer's `data`, and between that and `meta`. */
export const DATA_START = '{"data":';
export const META_START = ',"meta":';

/** `{"data", "meta"}` */
export const json: AnswerFormat = {
  name: "json",
  mediaType: "application/json",
  contentType: JSON_TYPE,
  write: ({ data }) => DATA_START + JSON.stringify(data) + META_START,
  headers: () => "",
  end: (meta) => `${meta}}`,
};
