import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";
import { spanWords, variantWords } from "./words.ts";

/** The mark of each event, so that it is never told by colour alone. */
const MARKS = {
  skill: <path d="M12 3 22 20H2Z" />,
  inconclusive: <path d="M12 2 22 12 12 22 2 12Z" class="open" />,
  luck: <circle cx={12} cy={12} r={10} />,
  withheld: <circle cx={12} cy={12} r={9} class="open dashed" />,
} as const;

/** The event as the heading of the report, the sentence that follows it, and what was judged: a file, unless it is said. */
export function Verdict({
  report,
  level,
  judged,
}: {
  readonly report: CheckReport;
  readonly level: 1 | 2;
  readonly judged?: string;
}): VNode {
  const { value, event, sentence, withheld_reason: withheld } = report.verdict;
  const Heading = `h${level}` as const;
  const mark = withheld === null ? value : "withheld";
  return (
    <>
      <Heading id="report-title" class={`event ${mark}`} tabIndex={-1}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {MARKS[mark]}
        </svg>
        {`${event}.`}
      </Heading>
      <p class="said">{afterEvent(sentence, event)}</p>
      {judged === undefined ? <Judged report={report} /> : <p class="judged">{judged}</p>}
    </>
  );
}

/** The sentence without the event that it opens with. */
function afterEvent(sentence: string, event: string): string {
  const rest = sentence.startsWith(`${event}: `) ? sentence.slice(event.length + 2) : sentence;
  return rest[0]!.toUpperCase() + rest.slice(1); // never empty
}

function Judged({ report: { input } }: { readonly report: CheckReport }): VNode {
  const { tool, kind, first, last, variants, selected } = input;
  const parts = [`${tool} ${kind}`];
  if (variants > 1 && selected !== null) parts.push(`the best of ${decimal(variants, 0)}`);
  if (first !== null) parts.push(`${spanWords(input)}, ${first} to ${last}`);
  return (
    <p class="judged">
      {variants > 1 && selected !== null && (
        <>
          Judged: <b>{variantWords(selected)}</b> ·{" "}
        </>
      )}
      {parts.join(" · ")}
    </p>
  );
}
