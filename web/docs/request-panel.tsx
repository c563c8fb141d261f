import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Example, Parameter, RequestForm } from "./operation.ts";
import { isKeyKept, keyFields, useKey } from "./request-key.tsx";
import { firstValues, type RequestValues } from "./request-samples.ts";
import { SamplesView } from "./samples-view.tsx";
import { answerView } from "./request-answer.tsx";
import { sendRequest, type Answer } from "./send-request.ts";

export interface RequestPanelProps {
  readonly form: RequestForm;
  /** Whether this server has a page on which keys are made. */
  readonly hasAccounts: boolean;
}

/** The request in three languages, and a form that sends it. Both show what the reader fills in. */
export function RequestPanel({ form, hasAccounts }: RequestPanelProps): VNode {
  const [values, setValues] = useState(() => firstValues(form));
  return (
    <>
      <SamplesView form={form} values={values} />
      <TryForm form={form} hasAccounts={hasAccounts} values={values} onValues={setValues} />
    </>
  );
}

interface TryFormProps extends RequestPanelProps {
  readonly values: RequestValues;
  readonly onValues: (values: RequestValues) => void;
}

function TryForm({ form, hasAccounts, values, onValues }: TryFormProps): VNode {
  const [key, changeKey] = useKey();
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<Answer | "waiting">();
  // Only a script can send it, because the key belongs in a header.
  const [isAlive, setAlive] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setAlive(true);
    setOpen(isKeyKept());
  }, []);
  const answered = useRef<HTMLDivElement>(null);
  // Below a long form the answer would be out of sight.
  useEffect(() => {
    if (answer !== undefined) answered.current?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  const send = async (event: Event) => {
    event.preventDefault();
    setAnswer("waiting");
    setAnswer(await sendRequest(form, values, { key: key.text, file }));
  };
  const fields = (isHeader: boolean) =>
    form.parameters
      .filter(({ in: where }) => (where === "header") === isHeader)
      .map((parameter) => {
        const { name } = parameter;
        return parameterField(parameter, values.parameters[name] ?? "", (value) =>
          onValues({ ...values, parameters: { ...values.parameters, [name]: value } }),
        );
      });
  const takeFile = (picked: File | undefined) => {
    setFile(picked);
    onValues({ ...values, body: picked?.name ?? firstValues(form).body });
  };
  return (
    <details class="try" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{form.needsKey ? "Send it with your key" : "Send it"}</summary>
      <form onSubmit={(event) => void send(event)}>
        <fieldset disabled={!isAlive}>
          <noscript>
            <p>Sending a request from here needs JavaScript. The lines above do not.</p>
          </noscript>
          {form.needsKey && keyFields(key, hasAccounts, changeKey)}
          {form.body?.isFile === true && fileField(takeFile)}
          {form.body?.isFile === false &&
            bodyFields(form.body.examples, values.body, (body) => onValues({ ...values, body }))}
          {fields(false)}
          {fields(true).length > 0 && (
            <details>
              <summary>Header fields</summary>
              {fields(true)}
            </details>
          )}
          <button type="submit">Send</button>
        </fieldset>
      </form>
      <div aria-live="polite" ref={answered}>
        {answer !== undefined && answerView(answer)}
      </div>
    </details>
  );
}

function parameterField(
  { name, choices, default: usual, example, isRequired }: Parameter,
  value: string,
  onInput: (value: string) => void,
): VNode {
  const hint = usual === "" ? example : JSON.parse(usual);
  return (
    <label key={name} class="field">
      <code>{name}</code>
      {isRequired && " required"}
      {choices.length > 0 ? (
        <select value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {!isRequired && <option value="">not sent</option>}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={String(hint)}
          required={isRequired}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </label>
  );
}

function fileField(onFile: (file: File | undefined) => void): VNode {
  return (
    <label class="field">
      File
      <input type="file" required onChange={(event) => onFile(event.currentTarget.files?.[0])} />
    </label>
  );
}

function bodyFields(
  examples: readonly Example[],
  text: string,
  onText: (text: string) => void,
): VNode {
  return (
    <>
      {examples.length > 1 && (
        <label class="field">
          Example
          <select onChange={(event) => onText(event.currentTarget.value)}>
            {examples.map((example) => (
              <option key={example.title} value={example.text}>
                {example.title}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        Body
        <textarea
          rows={text.split("\n").length + 1}
          spellcheck={false}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
    </>
  );
}
