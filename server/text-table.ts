/** A power of two: of a thousand texts in use, four in five have a place of their own. */
const PLACES = 4096;
/** Which of the last characters say where a text stands: those in which keys and queries differ. */
const MIXED = 6;

interface Entry<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * What was made of texts that come again and again, each time as a new text of the same characters. A place is
 * found by the last few of them and compared whole: a Map would hash all characters first, which takes several
 * times as long. Each place holds the last text put there, and so nothing can be relied upon to be found.
 */
export class TextTable<Value> {
  readonly #entries: (Entry<Value> | undefined)[] = Array<undefined>(PLACES).fill(undefined);

  get(text: string): Value | undefined {
    const entry = this.#entries[placeOf(text)];
    return entry !== undefined && entry.text === text ? entry.value : undefined;
  }

  set(text: string, value: Value): void {
    this.#entries[placeOf(text)] = { text, value };
  }
}

function placeOf(text: string): number {
  const { length } = text;
  let place = length;
  for (let at = length - 1; at >= 0 && at >= length - MIXED; at--) {
    place = Math.imul(place, 31) + text.charCodeAt(at);
  }
  return place & (PLACES - 1);
}
