import type { VNode } from "preact";
import { Table } from "../table.tsx";
import type { AccountData, KeyRow, ShownKey } from "./account-data.ts";
import { dayOf, minuteOf } from "./words.ts";

/** The grace periods of a replaced key: hours, and words after "The old key". */
const GRACES = [
  [0, "ends at once"],
  [1, "works for an hour"],
  [24, "works for a day"],
  [168, "works for a week"],
] as const;

/** A new key, with a request to try it. */
export function ShownKeyCard({
  shown: { key, name, replacedEndsMs },
  data: { publicUrl, coin },
}: {
  readonly shown: ShownKey;
  readonly data: AccountData;
}): VNode {
  const address = `${publicUrl}/v1/signals?coin=${coin}`;
  const curl = `curl -H 'Authorization: Bearer ${key}' '${address}'`;
  return (
    <div class="card shown" role="status" data-key={key} data-path={`/v1/signals?coin=${coin}`}>
      <h2>{name === "" ? "Your new key" : `Your new key "${name}"`}</h2>
      <p>
        Copy it now: it is shown only once, and stored as a hash.{" "}
        {replacedEndsMs !== undefined &&
          (replacedEndsMs === null
            ? "The key it replaces has ended."
            : `The key it replaces works until ${minuteOf(replacedEndsMs)}.`)}
      </p>
      <pre tabIndex={0}>
        <code>{key}</code>
      </pre>
      <p class="actions-row">
        <button type="button" data-copy={key} hidden>
          Copy the key
        </button>
        <button type="button" data-try hidden>
          Try it: one call
        </button>
      </p>
      <p>Your first request:</p>
      <pre tabIndex={0}>
        <code>{curl}</code>
      </pre>
      <p class="actions-row">
        <button type="button" class="quiet" data-copy={curl} hidden>
          Copy the request
        </button>
        <a href="/docs/api">All requests</a>
      </p>
      <div data-answer aria-live="polite" />
    </div>
  );
}

export function KeysSection({ data }: { readonly data: AccountData }): VNode {
  const { keys } = data;
  return (
    <section aria-label="Keys" class="keys">
      <h2>Keys</h2>
      {keys.length === 0 ? (
        <p>You have none yet. Every request to the API carries a key.</p>
      ) : (
        <Table
          label="The account's keys"
          rows={keys}
          columns={[
            { name: "name", cell: ({ name }) => name || <span class="detail">no name</span> },
            {
              name: "key",
              isText: true,
              cell: ({ prefix, lastFour }) => (
                <code>
                  {prefix}…{lastFour}
                </code>
              ),
            },
            { name: "", isText: true, cell: (key) => <KeyActions shown={key} data={data} /> },
            { name: "kind", isText: true, isExtra: true, cell: ({ env }) => env },
            {
              name: "made",
              isText: true,
              isExtra: true,
              cell: ({ createdMs }) => dayOf(createdMs),
            },
            { name: "last used", isText: true, cell: lastUsed },
          ]}
        />
      )}
      <NewKeyForm data={data} />
    </section>
  );
}

function lastUsed({ lastUsedMs, expiresMs }: KeyRow): VNode {
  return (
    <>
      {lastUsedMs === null ? "never" : minuteOf(lastUsedMs)}
      {expiresMs !== null && <span class="detail">ends {minuteOf(expiresMs)}</span>}
    </>
  );
}

function NewKeyForm({ data: { once, keys } }: { readonly data: AccountData }): VNode {
  return (
    <form class="card new-key" method="post" action="/account/keys">
      <label class="field">
        Name, for you
        <input name="name" maxLength={60} placeholder="laptop" autocomplete="off" />
      </label>
      <label class="field">
        Kind
        <select name="env">
          <option value="live">live</option>
          <option value="test">test: an allowance of its own, no backtests</option>
        </select>
      </label>
      <input type="hidden" name="once" value={once} />
      <button type="submit">{keys.length === 0 ? "Make a key" : "Make another key"}</button>
    </form>
  );
}

/** The forms to replace and to revoke a key, folded away because neither can be undone. */
function KeyActions({
  shown: { id, name, lastFour },
  data: { once },
}: {
  readonly shown: KeyRow;
  readonly data: AccountData;
}): VNode {
  const label = name === "" ? `the key that ends in ${lastFour}` : `the key "${name}"`;
  return (
    <details class="key-actions">
      <summary aria-label={`Change ${label}`}>Change</summary>
      <form method="post" action="/account/keys/rotate">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="once" value={once} />
        <label>
          The old key{" "}
          <select name="grace">
            {GRACES.map(([hours, words]) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </select>
        </label>{" "}
        <button type="submit" class="small">
          Replace
        </button>
      </form>
      <form method="post" action="/account/keys/revoke">
        <input type="hidden" name="id" value={id} />
        <button type="submit" class="small danger">
          Revoke for good
        </button>
      </form>
    </details>
  );
}
