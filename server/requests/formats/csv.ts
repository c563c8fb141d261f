import { csvOf } from "../../../api/csv.ts";
import type { AnswerFormat, AnswerParts } from "./format.ts";

/** A longer name would be cut by file systems and is no easier to read. */
const NAME_MAX = 100;

/** The rows alone. What `attribution` says is in headers and in the name of the file. */
export const csv: AnswerFormat = {
  name: "csv",
  mediaType: "text/csv",
  contentType: "text/csv; charset=utf-8; header=present",
  write: (answer) => csvOf(answer.table()),
  headers: ({ data, asked }) => downloadLines(data.attribution, asked, ".csv"),
  end: () => "",
};

/** Licence and source (RFC 8288), and a name to save it under (RFC 6266). `asked` names what was requested. */
export function downloadLines(
  { source, license, license_url: url, as_of: asOf, synthetic }: AnswerParts["data"]["attribution"],
  asked: string,
  ending: string,
): string {
  const title = `${source}, ${license}`.replace(/[^ -~]|["\\]/g, "?");
  const words = `hindsight-${asked}-${asOf}${synthetic ? "-demo" : ""}`;
  const name = words.replace(/[^\w.-]+/g, "-").slice(0, NAME_MAX);
  return (
    `\r\nLink: <${url}>; rel="license"; title="${title}"` +
    `\r\nContent-Disposition: attachment; filename="${name}${ending}"` +
    (synthetic ? "\r\nSynthetic: true" : "")
  );
}
