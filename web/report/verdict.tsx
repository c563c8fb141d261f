import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { choiceWords, spanWords, variantWords } from "./words.ts";

/** The mark of each event, so that no reader depends on its colour. */
const MARKS = {
  skill: <path d="M12 3 22 20H2Z" />,
  inconclusive: <path d="M12 2 22 12 12 22 2 12Z" class="open" />,
  luck: <circle cx={12} cy={12} r={10} />,
  withheld: <circle cx={12} cy={12} r={9} class="open dashed" />,
} as const;

/** The sentence below the title. */
export const SAID = "report-said";
/** A title that takes the focus is read with its sentence, once. */
export const TITLE = { id: "report-title", "aria-describedby": SAID };

/** Says that a report which stands alone rests on made-up prices. */
export function syntheticNotice(isSynthetic: boolean): VNode | null {
  if (!isSynthetic) return null;
  return (
    <p class="notice" role="note">
      Made-up prices: what is said of the coin comes from a demo market.
    </p>
  );
}

/** The event as the heading, the sentence that follows it, and what was judged: the file, unless it is given. */
export function verdictWords(report: CheckReport, level: 1 | 2 | 3, judged?: string): VNode {
  const { value, event, sentence, withheld_reason: withheld } = report.verdict;
  const Heading = `h${level}` as const;
  const mark = withheld === null ? value : "withheld";
  return (
    <>
      <Heading {...(level === 3 ? {} : TITLE)} class={`event ${mark}`} tabIndex={-1}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {MARKS[mark]}
        </svg>
        {`${event}.`}
      </Heading>
      <p id={level === 3 ? undefined : SAID} class="said">
        {afterEvent(sentence, event)}
      </p>
      <p class="judged">{judged ?? judgedFile(report)}</p>
    </>
  );
}

/** The sentence without the name of the event at its beginning. */
function afterEvent(sentence: string, event: string): string {
  const rest = sentence.startsWith(`${event}: `) ? sentence.slice(event.length + 2) : sentence;
  return rest[0]!.toUpperCase() + rest.slice(1); // it is not empty
}

function judgedFile({ input }: CheckReport): VNode {
  const { tool, kind, first, last, variants, selected } = input;
  const chosen = variants > 1 ? selected : null;
  const parts = [`${tool} ${kind}`, choiceWords(input) ?? []].flat();
  if (first !== null) parts.push(`${spanWords(input)}, ${first} to ${last}`);
  return (
    <>
      {chosen !== null && (
        <>
          Judged: <b>{variantWords(chosen)}</b> ·{" "}
        </>
      )}
      {parts.join(" · ")}
    </>
  );
}
