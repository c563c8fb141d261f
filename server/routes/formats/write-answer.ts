import type { Attribution } from "../../../api/attribution.ts";
import type { Endpoint, Resolved } from "../endpoint.ts";
import { pickColumns, pickFields } from "../fields.ts";
import type { ChosenForm } from "./choose-format.ts";
import type { AnswerFormat } from "./format.ts";
import { FORMATS, ONLY_JSON } from "./formats.ts";

/** The formats that an endpoint's answers have. */
export function formatsOf(endpoint: Pick<Endpoint, "rows">): readonly AnswerFormat[] {
  return endpoint.rows === undefined ? ONLY_JSON : FORMATS;
}

/** An answer in the form that was chosen: its text up to the caller's own part, and its header lines. */
export function writeAnswer(
  endpoint: Endpoint,
  { format, fields }: Omit<ChosenForm, "query">,
  data: object,
  asked: Resolved = {},
): { readonly text: string; readonly lines: string } {
  const picked = pickFields(endpoint.data, data, fields);
  const table = () => pickColumns(endpoint.rows!(data as never, asked), fields); // formats have rows where there are some
  const about = () => {
    const { attribution } = data as { readonly attribution: Attribution };
    const words = [endpoint.path.slice(1), ...Object.values(asked)];
    const said = words.filter((word) => word !== undefined);
    return { attribution, asked: [...new Set(said)].join("-") };
  };
  return { text: format.write({ data: picked, table }), lines: format.headers(about) };
}
