import type { VNode } from "preact";
import { EntryField, type CheckEntries } from "./check-fields.tsx";

/** Where what a strategy did live is added to its backtest. */
export function LiveFile({
  file,
  onFile,
  ...fields
}: {
  /** The one that was added. */
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
}): VNode {
  return (
    <div class="field">
      <label for="check-live">It is live? Add what it did</label>
      <input
        id="check-live"
        type="file"
        aria-describedby="check-live-hint"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          currentTarget.value = ""; // the same file can be chosen again
          if (chosen !== undefined) onFile(chosen);
        }}
      />
      <span class="hint" id="check-live-hint">
        {file === undefined ? "daily values; an account’s history will do" : `${file.name} `}
        {file !== undefined && (
          <button type="button" class="quiet" onClick={() => onFile(undefined)}>
            Leave it out
          </button>
        )}
      </span>
      <details open={file !== undefined}>
        <summary>From which day live counts</summary>
        <EntryField name="liveSince" {...fields} />
        {file !== undefined && <EntryField name="liveSelected" {...fields} />}
        <button type="submit" class="quiet">
          Compare
        </button>
      </details>
    </div>
  );
}

/** The field below the backtest that is checked, folded once there is a live file. */
export function Beside({
  name,
  field,
  onGo,
}: {
  /** Of the live file. */
  readonly name: string | undefined;
  readonly field: VNode;
  readonly onGo: () => void;
}): VNode {
  return (
    <details class="chosen">
      <summary>
        {name === undefined ? "Is it live? Add what it did" : `live: ${name} · change`}
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onGo();
        }}
      >
        {field}
      </form>
    </details>
  );
}
