import { AccountsUnavailable } from "../accounts/accounts.ts";
import { RetentionClock } from "../process/retention-clock.ts";
import { NoteFolder, type NoteFolderOptions } from "./note-folder.ts";
import type { RedisLink } from "./redis-link.ts";

/** How often to look for notes that other processes left behind. */
const LOOK_MS = 5_000;
/**
 * A note is kept this long after it was settled and is then settled once more: with `appendfsync everysec`, a
 * Redis that dies may lose what it did in its last seconds.
 */
const KEPT_MS = 6_000;
/**
 * Notes held in memory. Beyond this, those on the disk wait there and the oldest of the others are forgotten.
 */
const HELD_MAX = 10_000;

/** The connection that settles a note, whether or not requests use it yet. */
export type NoteLink = Pick<RedisLink, "run">;

export interface NotesOptions<Note extends object> extends Omit<NoteFolderOptions, "retentionMs"> {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /**
   * Makes Redis as if what the note describes had never happened, whether or not it did, and however often
   * this was done before.
   */
  readonly settle: (link: NoteLink, note: Note) => Promise<Settled>;
}

/**
 * "early": what the note describes may still reach Redis. "strange": the note is for another Redis, whose
 * servers will settle it.
 */
export type Settled = "settled" | "early" | "strange";

interface HeldNote<Note> {
  readonly note: Note;
  /**
   * Since when Redis is known to be right; undefined while it is not; infinity if it is not for us to put
   * right.
   */
  settledMs: number | undefined;
}

/**
 * Notes of what callers were told did not happen, although Redis may have done it. They are written before
 * the callers are told, so that it is undone even if this process is killed before it reaches Redis again.
 * Every server that uses the folder settles all notes in it. Without a folder, notes are only in memory and
 * die with the process.
 */
export class Notes<Note extends object> {
  readonly #options: NotesOptions<Note>;
  readonly #folder: NoteFolder;
  /** By file name. */
  readonly #held = new Map<string, HeldNote<Note>>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: NotesOptions<Note>) {
    this.#options = options;
    const retention = new RetentionClock(options);
    this.#folder = new NoteFolder({ ...options, retentionMs: () => retention.readMs() });
  }

  /** Whether any note is not known to be undone yet. */
  get unsettled(): boolean {
    return [...this.#held.values()].some(({ settledMs }) => settledMs === undefined);
  }

  write(note: Note): void {
    const [oldest] = this.#held.keys();
    if (this.#held.size >= HELD_MAX && oldest !== undefined) this.#held.delete(oldest);
    this.#held.set(this.#folder.write(note), { note, settledMs: undefined });
  }

  /**
   * Call on a new connection: settles every note in memory again, because Redis may have lost that it was
   * settled.
   */
  async settleAnew(link: NoteLink): Promise<void> {
    for (const held of this.#held.values()) {
      held.settledMs = undefined;
      await this.#settle(link, held);
    }
  }

  /**
   * Settles open notes, looks now and then for notes that others left, and removes those that are done with.
   */
  async settle(link: NoteLink): Promise<void> {
    this.#look();
    const nowMs = this.#options.monotonicMs();
    for (const [name, held] of this.#held) {
      const { settledMs } = held;
      const over = settledMs !== undefined && nowMs - settledMs >= KEPT_MS;
      if (settledMs !== undefined && !over) continue;
      await this.#settle(link, held);
      if (!over) continue;
      this.#held.delete(name);
      this.#folder.remove(name);
    }
  }

  async #settle(link: NoteLink, held: HeldNote<Note>): Promise<void> {
    const { settle, kind, warn, monotonicMs } = this.#options;
    try {
      const settled = await settle(link, held.note);
      if (settled === "settled") held.settledMs = monotonicMs();
      if (settled === "strange") held.settledMs = Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof AccountsUnavailable) throw error;
      // A file that is not as we write them must not keep a server from using its Redis.
      held.settledMs = Number.POSITIVE_INFINITY;
      warn(`a note of ${kind} is left as it is: ${String(error)}`);
    }
  }

  #look(): void {
    const nowMs = this.#options.monotonicMs();
    if (nowMs - this.#lookedMs < LOOK_MS) return;
    this.#lookedMs = nowMs;
    for (const name of this.#folder.list()) {
      if (this.#held.has(name) || this.#held.size >= HELD_MAX) continue;
      const note = this.#folder.read(name);
      if (typeof note === "object" && note !== null) {
        this.#held.set(name, { note: note as Note, settledMs: undefined });
      }
    }
  }
}
