import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** Copies a text and says so; where the browser refuses, it shows the text to be copied by hand. */
export function CopyButton({ text }: { readonly text: string }): VNode {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("refused");
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {state === "copied" ? "Copied" : "Copy verdict"}
      </button>
      <span class="unseen" role="status">
        {state === "copied" ? "The verdict was copied." : ""}
      </span>
      {state === "refused" && <textarea readOnly value={text} aria-label="The verdict, to copy" />}
    </>
  );
}
