import type { VNode } from "preact";
import { decimal } from "../format.ts";
import type { Answer } from "./send-request.ts";

/** Characters of an answer that are shown. A browser takes seconds to lay out more. */
const SHOWN_MAX = 50_000;

/** The answer to a request: status, time, header fields, body. */
export function answerView(answer: Answer | "waiting"): VNode {
  if (answer === "waiting") return <p class="status">Waiting for the answer …</p>;
  const { status, isGood, milliseconds, headers, text } = answer;
  return (
    <div class="answer">
      <p class={`status ${isGood ? "good" : "bad"}`}>
        <b>{status}</b> in {decimal(milliseconds, 0)} ms
      </p>
      {headers.length > 0 && (
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {text !== "" && (
        <pre tabIndex={0}>
          <code>{text.slice(0, SHOWN_MAX)}</code>
        </pre>
      )}
      {text.length > SHOWN_MAX && (
        <p class="source">
          The first {decimal(SHOWN_MAX, 0)} of {decimal(text.length, 0)} characters.
        </p>
      )}
    </div>
  );
}
