import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { copyText } from "../browser/copy-text.ts";
import type { RequestForm } from "./operation.ts";
import { samplesOf, type RequestValues } from "./request-samples.ts";

/** Where the reader's language is remembered for the next page. */
const STORED_AS = "hindsight-language";

/** The request in each language. The style sheet shows the one that is checked, which needs no script. */
export function SamplesView({
  form,
  values,
}: {
  readonly form: RequestForm;
  readonly values: RequestValues;
}): VNode {
  const samples = samplesOf(form, values);
  const [language, setLanguage] = useState(samples[0]!.language); // there is one
  const [canCopy, setCanCopy] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const stored = localStorage.getItem(STORED_AS);
    if (samples.some((sample) => sample.language === stored)) setLanguage(stored!); // it is one of them
    setCanCopy("clipboard" in navigator); // browsers have it on secure pages only
  }, []);
  const choose = (name: string) => {
    setLanguage(name);
    setCopied(false);
    localStorage.setItem(STORED_AS, name);
  };
  const chosen = samples.find((sample) => sample.language === language)!; // one of them is chosen
  return (
    <section class="samples" aria-label="The request in three languages">
      <fieldset>
        <legend>Language</legend>
        {samples.map((sample) => (
          <label key={sample.language}>
            <input
              type="radio"
              name="language"
              value={sample.language}
              checked={sample.language === language}
              onChange={() => choose(sample.language)}
            />
            {sample.language}
          </label>
        ))}
        {canCopy && (
          <button
            type="button"
            class="quiet"
            onClick={() => void copyText(chosen.code).then(setCopied)}
          >
            {isCopied ? "Copied" : "Copy"}
          </button>
        )}
      </fieldset>
      {samples.map((sample) => (
        <pre key={sample.language} data-language={sample.language} tabIndex={0}>
          <code>{sample.code}</code>
        </pre>
      ))}
    </section>
  );
}
