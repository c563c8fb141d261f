import { nameKey } from "./names.ts";

/** Longer texts are no name. */
const LENGTH_MAX = 60;

/**
 * Takes texts apart into the words of a table, by what they say: `entryPrice`, `Entry price` and `进入价格` are all an
 * entry's price. Of several ways that with the fewest words counts; undefined where a part is no word of the table.
 */
export function partReader<Word extends string>(
  table: Readonly<Record<Word, string>>,
): (text: string) => readonly Word[] | undefined {
  const words = new Map<string, Word>();
  for (const word in table)
    for (const each of table[word].split(" ")) words.set(nameKey(each), word);
  const longest = Math.max(...[...words.keys()].map((word) => word.length));
  return (text) => {
    if (text.length > LENGTH_MAX) return undefined;
    const key = nameKey(text).replace(/\p{N}/gu, "");
    const best: (readonly Word[] | undefined)[] = [[]]; // of the first characters of the key
    for (let end = 1; end <= key.length; end++) {
      for (let start = Math.max(0, end - longest); start < end; start++) {
        const [before, word] = [best[start], words.get(key.slice(start, end))];
        if (before === undefined || word === undefined) continue;
        if (before.length + 1 < (best[end]?.length ?? Infinity)) best[end] = [...before, word];
      }
    }
    return best[key.length];
  };
}
