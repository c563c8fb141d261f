import type { ComponentChildren, JSX, VNode } from "preact";

type InputProps = Omit<JSX.InputHTMLAttributes, "onInput">;

/** A control below its name. */
export function field(name: string, control: ComponentChildren): VNode {
  return (
    <label class="field">
      <span>{name}</span>
      {control}
    </label>
  );
}

/** An input below its name. */
export function inputField(name: string, input: InputProps, onText: (text: string) => void): VNode {
  return field(name, <input {...input} onInput={(event) => onText(event.currentTarget.value)} />);
}

/** A choice below its name: each option's value and its words. */
export function selectField(
  name: string,
  options: readonly (readonly [value: string, words: string])[],
  select: JSX.SelectHTMLAttributes,
  onText: (text: string) => void,
): VNode {
  return field(
    name,
    <select {...select} onInput={(event) => onText(event.currentTarget.value)}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>,
  );
}
