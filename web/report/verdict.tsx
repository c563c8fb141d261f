import type { VNode } from "preact";
import type { CheckVerdict } from "../../api/check-verdict.ts";

/** The verdict's sentence, fit to quote; what it opens with is the answer. */
export function Verdict({ verdict }: { readonly verdict: CheckVerdict }): VNode {
  const { value, sentence } = verdict;
  const end = sentence.indexOf(":");
  return (
    <p class={`verdict ${value}`}>
      <b>{sentence.slice(0, end + 1)}</b>
      {sentence.slice(end + 1)}
    </p>
  );
}
