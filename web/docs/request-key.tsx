import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The reader's key. It is kept in this page's memory and, if the reader wishes, in this tab until it is closed. */
interface HeldKey {
  readonly text: string;
  readonly isKept: boolean;
}

const STORED_AS = "hindsight-key";

export function isKeyKept(): boolean {
  return sessionStorage.getItem(STORED_AS) !== null;
}

/** The key as it is held, and how to change it. */
export function useKey(): readonly [HeldKey, (key: HeldKey) => void] {
  const [key, setKey] = useState<HeldKey>({ text: "", isKept: false });
  useEffect(() => {
    const stored = sessionStorage.getItem(STORED_AS);
    if (stored !== null) setKey({ text: stored, isKept: true });
  }, []);
  const change = (next: HeldKey) => {
    setKey(next);
    if (next.isKept) sessionStorage.setItem(STORED_AS, next.text);
    else sessionStorage.removeItem(STORED_AS);
  };
  return [key, change];
}

/** The fields of a key. They have no names, so that no form can carry the key in an address. */
export function keyFields(
  held: HeldKey,
  hasAccounts: boolean,
  onChange: (key: HeldKey) => void,
): VNode {
  return (
    <>
      <label class="field">
        Your key
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="hs_live_… or hs_test_…"
          required
          value={held.text}
          onInput={(event) => onChange({ ...held, text: event.currentTarget.value })}
        />
      </label>
      <p class="hint">
        No key yet? {hasAccounts && <a href="/account">Get a key</a>}
        {!hasAccounts && "The operator of this server hands them out."}
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={held.isKept}
          onChange={(event) => onChange({ ...held, isKept: event.currentTarget.checked })}
        />{" "}
        Keep it until this tab is closed
      </label>
    </>
  );
}
