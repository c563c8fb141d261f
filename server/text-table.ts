/** A power of two: of five thousand texts in use, three in four have a place of their own. */
const PLACES = 16_384;
/** Which of the last characters say where a text stands: those in which keys and queries differ. */
const MIXED = 6;

interface Entry<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * What was made of texts that come again and again, each time as a new text of the same characters. A place is
 * found by the last few of them and compared whole: a Map would hash all characters first, which takes several
 * times as long. Each place holds one text, and so nothing can be relied upon to be found. A text is kept from the second
 * time on that it is put there in a row: texts that never come again, a flood of wrong keys, leave no objects behind.
 */
export class TextTable<Value> {
  readonly #entries: (Entry<Value> | undefined)[] = Array<undefined>(PLACES).fill(undefined);
  /** The mark of the text kept at each place: where it is another, nothing else need be looked at, which is in no cache of the processor. */
  readonly #kept = new Int32Array(PLACES);
  /** The mark of the last text put at each place. */
  readonly #marks = new Int32Array(PLACES);

  get(text: string): Value | undefined {
    const mark = markOf(text);
    const place = mark & (PLACES - 1);
    if (this.#kept[place] !== mark) return undefined;
    const entry = this.#entries[place];
    return entry !== undefined && entry.text === text ? entry.value : undefined;
  }

  set(text: string, value: Value): void {
    const mark = markOf(text);
    const place = mark & (PLACES - 1);
    if (this.#marks[place] !== mark) {
      this.#marks[place] = mark;
      return;
    }
    this.#entries[place] = { text, value };
    this.#kept[place] = mark;
  }
}

function markOf(text: string): number {
  const { length } = text;
  let mark = length;
  for (let at = length - 1; at >= 0 && at >= length - MIXED; at--) {
    mark = (Math.imul(mark, 31) + text.charCodeAt(at)) | 0;
  }
  return mark;
}
