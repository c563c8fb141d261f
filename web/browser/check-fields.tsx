import type { VNode } from "preact";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { Choice } from "../../check/formats/export.ts";
import { TRIALS_MAX } from "../../quant/overfitting/backtest-inputs.ts";

/** Nothing entered. */
export const NO_ENTRIES = {
  nTrials: "",
  starts: "",
  coin: "",
  selected: "",
  startingCapital: "",
  timezone: "",
  format: "",
  column: "",
  leaveOut: [] as readonly string[],
  benchmark: "",
  flows: "",
  dates: "",
  unit: "",
  allIn: "",
  liveSince: "",
  liveSelected: "",
  fills: "",
};

/** What the reader has entered, as it was typed. */
export type CheckEntries = Readonly<typeof NO_ENTRIES>;

/** Entries that are typed: the label, what the entry is for, and what may be typed. */
const FIELDS = {
  nTrials: {
    label: "How many settings did you try?",
    hint: "all of them, also those you threw away; a file that has them all is counted",
    input: { type: "number", min: 1, max: TRIALS_MAX, step: 1, inputmode: "numeric" },
  },
  starts: {
    label: "How many first days did you try?",
    hint: "each counts as often as a setting",
    input: { type: "number", min: 1, max: TRIALS_MAX, step: 1, inputmode: "numeric" },
  },
  coin: {
    label: "Coins you traded",
    hint: "such as btc or btc,eth,sol: tests against holding them, too, and ranks you among our rules on one coin",
    input: { type: "text", list: "check-coins" },
  },
  selected: {
    label: "Setting you chose",
    hint: "of a hyperopt the number of the epoch; the best one otherwise",
    input: { type: "text" },
  },
  startingCapital: {
    label: "Starting capital",
    hint: "what the account began with, where the file doesn’t name it",
    input: { type: "number", min: 0.000001, step: "any", inputmode: "decimal" },
  },
  timezone: {
    label: "Time zone",
    hint: "of times written without one, such as Europe/Berlin",
    input: { type: "text" },
  },
  liveSince: {
    label: "Live counts from",
    hint: "the first live day otherwise; choosing it after seeing the days voids the answer",
    input: { type: "date" },
  },
  liveSelected: {
    label: "Your strategy in the live file",
    hint: "where that has several series",
    input: { type: "text" },
  },
  format: {
    label: "Format",
    hint: "where the content alone does not decide",
    input: { type: "text" },
  },
} satisfies Partial<Record<keyof CheckEntries, object>>;

type Field = keyof typeof FIELDS;

export function isField(name: keyof CheckEntries): name is Field {
  return name in FIELDS;
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
  const { hint, input } = FIELDS[name];
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
      <label for={id}>{props.label ?? FIELDS[name].label}</label>
      {choices.length === 0 ? (
        <input {...input} {...about} autocomplete="off" />
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
      <datalist id="check-coins">
        {coins.map((coin) => (
          <option key={coin}>{coin}</option>
        ))}
      </datalist>
    </>
  );
}

/** The entries as options of a check. Empty ones are left out. */
export function optionsOf(entries: CheckEntries): CheckFileOptions {
  const { nTrials, starts, startingCapital, leaveOut, allIn, coin, ...rest } = entries;
  const texts = { ...rest, coin: coin.toLowerCase() };
  const given = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  const number = (value: string) => (value.trim() === "" ? undefined : Number(value));
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== "")),
    nTrials: number(nTrials),
    starts: number(starts),
    startingCapital: number(startingCapital),
    leaveOut: leaveOut.length === 0 ? undefined : leaveOut,
    allIn: allIn === "" ? undefined : allIn === "true",
  };
}
