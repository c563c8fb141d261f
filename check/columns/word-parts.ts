/** Longer texts are no name. */
const LENGTH_MAX = 60;

/** A part of a text, and what it says. */
export interface TextPart<Kind> {
  readonly text: string;
  readonly kind: Kind;
}

/**
 * Takes a text without blanks apart into parts that each say something: `entryprice` and `进入价格` into an entry and a
 * price. Of several ways that with the fewest parts counts; undefined where a part says nothing.
 */
export function textParts<Kind extends string>(
  text: string,
  kindOf: (part: string) => Kind | undefined,
  least = 1,
): readonly TextPart<Kind>[] | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const best: (readonly TextPart<Kind>[] | undefined)[] = [[]]; // of the first characters
  for (let end = least; end <= text.length; end++) {
    for (let start = 0; start <= end - least; start++) {
      const before = best[start];
      if (before === undefined || before.length + 1 >= (best[end]?.length ?? Infinity)) continue;
      const part = text.slice(start, end);
      const kind = kindOf(part);
      if (kind !== undefined) best[end] = [...before, { text: part, kind }];
    }
  }
  return best[text.length];
}
