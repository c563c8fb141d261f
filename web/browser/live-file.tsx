import type { VNode } from "preact";
import { EntryField, type EntriesProps } from "./check-fields.tsx";

/** The field for the file of what a strategy did live. `file` is the one that was added. */
export function liveFileField(
  file: File | undefined,
  onFile: (file: File | undefined) => void,
  fields: EntriesProps,
): VNode {
  return (
    <div class="field">
      <label for="check-live">Is it live? Add what it did</label>
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

/** The field below the backtest that is checked, folded. `name` is that of the live file. */
export function foldedLiveFile(name: string | undefined, field: VNode, onGo: () => void): VNode {
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
