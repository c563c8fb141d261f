import { randomInt } from "node:crypto";
import { KeptAnswer, putAnswer, type AnswerMemory, type AnswerParts } from "./kept-answer.ts";
import { INTEGER_BYTES, PackedMemory } from "./packed-memory.ts";

/** The first numbers of a name's record: the place of its answer, and the name's length. */
const ANSWER_PLACE = 0;
const NAME_LENGTH = 1;
const NAME_HEAD_BYTES = 8;
/** Numbers in a slot: the mark of a name, and the place of its record; 0 in a free slot. */
const SLOT_NUMBERS = 2;
const SLOTS_MIN = 256;
/** Longer names are not kept. */
const NAME_MAX_LENGTH = 200;
const ASCII_MAX = 0x7f;
/**
 * FNV-1a, 32 bits. It starts from a number nobody knows; otherwise a caller could choose names that all land
 * in one place.
 */
const FNV_PRIME = 0x01000193;
const MARK_SEED = randomInt(2 ** 32) | 0;

/**
 * Answers in packed memory, each under any number of names. Nothing is ever removed: the owner drops the
 * shelf as a whole.
 */
export class AnswerShelf {
  readonly #packed = new PackedMemory();
  readonly #memory: AnswerMemory = { packed: this.#packed, beginning: undefined };
  #slots = new Int32Array(SLOT_NUMBERS * SLOTS_MIN);
  #names = 0;
  readonly #markOf: (name: string) => number;

  constructor(mark = markOf) {
    this.#markOf = mark;
  }

  get bytes(): number {
    return this.#packed.takenBytes + this.#slots.length * INTEGER_BYTES;
  }

  /** Pass `mark` to avoid computing it again for each of several shelves. */
  find(name: string, mark = this.#markOf(name)): KeptAnswer | undefined {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let slot = (SLOT_NUMBERS * mark) & last; ; slot = (slot + SLOT_NUMBERS) & last) {
      const place = slots[slot + 1]!;
      if (place === 0) return undefined;
      if (slots[slot] === mark && this.#isNamed(place, name)) {
        const head = this.#packed.offsetAt(place) / INTEGER_BYTES;
        const answer = this.#packed.pieceAt(place).integers[head + ANSWER_PLACE]!;
        return new KeptAnswer(this.#memory, answer);
      }
    }
  }

  #isNamed(place: number, name: string): boolean {
    const { bytes, integers } = this.#packed.pieceAt(place);
    const at = this.#packed.offsetAt(place);
    const { length } = name;
    if (integers[at / INTEGER_BYTES + NAME_LENGTH] !== length) return false;
    const start = at + NAME_HEAD_BYTES;
    for (let index = 0; index < length; index++) {
      if (bytes[start + index] !== name.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Keeps an answer under names that no other answer has. The last name is stored beside the answer. */
  add(names: readonly string[], parts: AnswerParts): KeptAnswer {
    const places = names.map((name) => this.#takeName(name));
    const answer = putAnswer(this.#memory, parts);
    // There is one place per name.
    for (const [index, name] of names.entries()) this.#nameIt(places[index]!, name, answer.place);
    return answer;
  }

  /** Gives an answer on this shelf one more name. */
  name(name: string, answer: KeptAnswer): void {
    this.#nameIt(this.#takeName(name), name, answer.place);
  }

  /** 0 if the name is too long to keep. */
  #takeName(name: string): number {
    return isKeepable(name) ? this.#packed.take(NAME_HEAD_BYTES + name.length) : 0;
  }

  #nameIt(place: number, name: string, answer: number): void {
    if (place === 0) return;
    const { bytes, integers } = this.#packed.pieceAt(place);
    const at = this.#packed.offsetAt(place);
    integers[at / INTEGER_BYTES + ANSWER_PLACE] = answer;
    integers[at / INTEGER_BYTES + NAME_LENGTH] = name.length;
    bytes.write(name, at + NAME_HEAD_BYTES, "latin1");
    this.#names++;
    if (2 * SLOT_NUMBERS * this.#names > this.#slots.length) this.#widen();
    put(this.#slots, this.#markOf(name), place);
  }

  /** At most every second slot is taken, so that a search needs few steps, found or not. */
  #widen(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += SLOT_NUMBERS) {
      if (before[slot + 1] !== 0) put(this.#slots, before[slot]!, before[slot + 1]!);
    }
  }
}

function put(slots: Int32Array, mark: number, place: number): void {
  const last = slots.length - 1;
  let slot = (SLOT_NUMBERS * mark) & last;
  while (slots[slot + 1] !== 0) slot = (slot + SLOT_NUMBERS) & last;
  slots[slot] = mark;
  slots[slot + 1] = place;
}

/** A number that differs for nearly all names, in its lower bits as well. */
export function markOf(name: string): number {
  let mark = MARK_SEED;
  for (let at = 0; at < name.length; at++) {
    mark = Math.imul(mark ^ name.charCodeAt(at), FNV_PRIME);
  }
  return mark ^ (mark >>> 15);
}

function isKeepable(name: string): boolean {
  if (name.length > NAME_MAX_LENGTH) return false;
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) > ASCII_MAX) return false;
  return true;
}
