import type { VNode } from "preact";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { Choice } from "../../check/formats/export.ts";
import { CHECK_OPTIONS, type CheckOption } from "../../check/options.ts";

type Name = keyof typeof CHECK_OPTIONS;
/** What the reader has entered, as it was typed. */
export type CheckEntries = {
  readonly [Of in Name]: (typeof CHECK_OPTIONS)[Of]["takes"] extends "columns"
    ? readonly string[]
    : string;
};

const OPTIONS: Readonly<Record<Name, CheckOption>> = CHECK_OPTIONS;
const NAMES = Object.keys(CHECK_OPTIONS) as readonly Name[];

/** Nothing entered. */
export const NO_ENTRIES = Object.fromEntries(
  NAMES.map((name) => [name, OPTIONS[name].takes === "columns" ? [] : ""]),
) as unknown as CheckEntries;

/** Entries that are typed have a label. */
type Field = {
  [Of in Name]: (typeof CHECK_OPTIONS)[Of] extends { readonly label: string } ? Of : never;
}[Name];

export function isField(name: Name): name is Field {
  return OPTIONS[name].label !== undefined;
}

/** The id of the list of coins whose prices the server has. */
const COINS = "check-coins";

/** What may be typed. */
function inputOf({ takes, bounds: [min, max] = [0, 0] }: CheckOption) {
  if (takes === "integer")
    return { type: "number", min, max, step: 1, inputmode: "numeric" } as const;
  if (takes === "number")
    return { type: "number", min: 0.000001, step: "any", inputmode: "decimal" } as const;
  if (takes === "tickers") return { type: "text", list: COINS } as const;
  return { type: takes === "date" ? "date" : "text" } as const;
}

/** What a form shows of the entries, and how it changes them. */
export interface EntriesProps {
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
}

interface EntryFieldProps extends EntriesProps {
  readonly name: Field;
  readonly choices?: readonly Choice[];
  readonly id?: string;
  readonly isRequired?: boolean;
  readonly label?: string;
}

/** One entry with its label. */
export function EntryField({ name, entries, onChange, ...props }: EntryFieldProps): VNode {
  const { label, sentence, hint = sentence }: CheckOption = CHECK_OPTIONS[name];
  const { choices = [], id = `check-${name}`, isRequired = false } = props;
  const about = {
    id,
    name,
    required: isRequired,
    value: entries[name],
    "aria-describedby": `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  };
  return (
    <div class="field">
      <label for={id}>{props.label ?? label}</label>
      {choices.length === 0 ? (
        <input {...inputOf(CHECK_OPTIONS[name])} {...about} autocomplete="off" />
      ) : (
        <select {...about}>
          <option value="">choose</option>
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text === "" ? value : text}
            </option>
          ))}
        </select>
      )}
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}

/** The coins that were traded, of those whose prices the server has. */
export function coinField(coins: readonly string[], fields: EntriesProps): VNode {
  return (
    <>
      <EntryField name="coin" {...fields} />
      <datalist id={COINS}>
        {coins.map((coin) => (
          <option key={coin}>{coin}</option>
        ))}
      </datalist>
    </>
  );
}

/** The entries as options of a check. Empty ones are left out. */
export function optionsOf(entries: CheckEntries): CheckFileOptions {
  const given = NAMES.map((name) => {
    const entry = entries[name];
    if (typeof entry !== "string") return [name, entry.length === 0 ? undefined : entry];
    const text = entry.trim();
    return [name, text === "" ? undefined : valueOf(OPTIONS[name], text)];
  });
  return Object.fromEntries(given) as CheckFileOptions; // as each is said to be
}

function valueOf({ takes }: CheckOption, text: string): string | number | boolean {
  if (takes === "yes") return text === "true";
  if (takes === "tickers") return text.toLowerCase();
  return takes === "number" || takes === "integer" ? Number(text) : text;
}
