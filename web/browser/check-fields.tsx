import type { VNode } from "preact";
import type { CheckFileOptions } from "../../check/check-file.ts";
import type { Choice } from "../../check/formats/export.ts";
import { TRIALS_MAX } from "../../quant/overfitting/backtest-inputs.ts";

/** What the reader has entered, as text. */
export interface CheckEntries {
  readonly nTrials: string;
  readonly coin: string;
  readonly selected: string;
  readonly startingCapital: string;
  readonly timezone: string;
  readonly format: string;
  readonly column: string;
  readonly leaveOut: string;
  readonly benchmark: string;
  readonly flows: string;
  readonly dates: string;
  readonly unit: string;
  readonly allIn: string;
}

export const NO_ENTRIES: CheckEntries = {
  nTrials: "",
  coin: "",
  selected: "",
  startingCapital: "",
  timezone: "",
  format: "",
  column: "",
  leaveOut: "",
  benchmark: "",
  flows: "",
  dates: "",
  unit: "",
  allIn: "",
};

interface FieldWords {
  readonly label: string;
  readonly hint: string;
  readonly input: Readonly<Record<string, string | number>>;
}

/** Each entry's label, what it is for, and what may be typed. */
const FIELDS: Readonly<Record<Exclude<keyof CheckEntries, "coin">, FieldWords>> = {
  nTrials: {
    label: "How many settings did you try?",
    hint: "all of them, also those you threw away; a file that has them all is counted",
    input: { type: "number", min: 1, max: TRIALS_MAX, step: 1, inputmode: "numeric" },
  },
  selected: {
    label: "Variant you chose",
    hint: "of a hyperopt the number of the epoch; the best one otherwise",
    input: { type: "text" },
  },
  startingCapital: {
    label: "Starting capital",
    hint: "for a list of trades that doesn’t name it",
    input: { type: "number", min: 0.000001, step: "any", inputmode: "decimal" },
  },
  timezone: {
    label: "Time zone",
    hint: "of times written without one, such as Europe/Berlin",
    input: { type: "text" },
  },
  format: {
    label: "Format",
    hint: "where the content alone does not decide",
    input: { type: "text" },
  },
  column: { label: "Your strategy", hint: "the column that is judged", input: { type: "text" } },
  leaveOut: { label: "Not a variant", hint: "a column to leave out", input: { type: "text" } },
  benchmark: { label: "The market", hint: "a column, or none", input: { type: "text" } },
  flows: { label: "Money paid in", hint: "a column, none or detected", input: { type: "text" } },
  dates: { label: "Dates", hint: "which number is the day", input: { type: "text" } },
  unit: { label: "Unit of the returns", hint: "1 % is 0.01 or 1", input: { type: "text" } },
  allIn: {
    label: "All in",
    hint: "whether each trade took the whole account",
    input: { type: "text" },
  },
};

/** One entry with its label. */
export function EntryField({
  name,
  entries,
  onChange,
  choices = [],
  id = `check-${name}`,
  isRequired = false,
}: {
  readonly name: keyof typeof FIELDS;
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
  readonly choices?: readonly Choice[];
  readonly id?: string;
  readonly isRequired?: boolean;
}): VNode {
  const { label, hint, input } = FIELDS[name];
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
      <label for={id}>{label}</label>
      {choices.length === 0 ? (
        <input {...input} {...about} autocomplete="off" />
      ) : (
        <select {...about}>
          <option value="">choose</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text === "" ? choice.value : choice.text}
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

/** The coin that was traded, of those whose prices the server has. */
export function CoinField({
  coins,
  entries,
  onChange,
}: {
  readonly coins: readonly string[];
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
}): VNode {
  return (
    <div class="field">
      <label for="check-coin">Coin you traded</label>
      <select
        id="check-coin"
        name="coin"
        value={entries.coin}
        aria-describedby="check-coin-hint"
        onInput={(event) => onChange({ coin: event.currentTarget.value })}
      >
        <option value="">not named</option>
        {coins.map((coin) => (
          <option key={coin}>{coin}</option>
        ))}
      </select>
      <span class="hint" id="check-coin-hint">
        tests against holding it, too, and ranks you among our rules
      </span>
    </div>
  );
}

/** The entries as options of a check; what is empty is left out. */
export function optionsOf(entries: CheckEntries): CheckFileOptions {
  const text = (value: string) => (value.trim() === "" ? undefined : value.trim());
  const number = (value: string) => (value.trim() === "" ? undefined : Number(value));
  return {
    nTrials: number(entries.nTrials),
    startingCapital: number(entries.startingCapital),
    coin: text(entries.coin),
    selected: text(entries.selected),
    timezone: text(entries.timezone),
    format: text(entries.format),
    column: text(entries.column),
    leaveOut: entries.leaveOut === "" ? undefined : [entries.leaveOut],
    benchmark: text(entries.benchmark),
    flows: text(entries.flows),
    dates: text(entries.dates) as CheckFileOptions["dates"],
    unit: text(entries.unit) as CheckFileOptions["unit"],
    allIn: entries.allIn === "" ? undefined : true,
  };
}
