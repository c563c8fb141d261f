import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "./copy-text.ts";

/** Copies the verdict and says so. Where the browser refuses, it shows the text to be copied by hand. */
export function CopyButton({ text }: { readonly text: string }): VNode {
  const [isCopied, setCopied] = useState<boolean>();
  return (
    <>
      <button type="button" onClick={() => void copyText(text).then(setCopied)}>
        {isCopied ? "Copied" : "Copy verdict"}
      </button>
      <span class="unseen" role="status">
        {isCopied && "The verdict was copied."}
      </span>
      {isCopied === false && <textarea readOnly value={text} aria-label="The verdict, to copy" />}
    </>
  );
}
