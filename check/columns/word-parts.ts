/** Longer texts aren't names. */
const LENGTH_MAX = 60;

/** A part of a text, and what it means. */
export interface TextPart<Kind> {
  readonly text: string;
  readonly kind: Kind;
}

/**
 * Splits a text without blanks into the fewest parts that each mean something: `entryprice` and `进入价格` into an entry and
 * a price. Undefined where no split leaves nothing over.
 */
export function textParts<Kind extends string>(
  text: string,
  kindOf: (part: string) => Kind | undefined,
  least = 1,
): readonly TextPart<Kind>[] | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const best: (readonly TextPart<Kind>[] | undefined)[] = [[]]; // by how many characters they cover
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
