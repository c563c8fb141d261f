/**
 * Roughly as many as the answers of `/dca` that are kept: a query that comes less often would be dropped
 * before it comes again.
 */
const PLACES = 8192;

/**
 * Whether a text, identified by its mark, came before and not too many others ago. After hundreds of others
 * it is mostly still known; after tens of thousands hardly ever. The answer may be wrong either way. Each
 * mark has two places, so that no two marks keep pushing each other out.
 */
export class RecentMarks {
  readonly #marks = new Int32Array(PLACES);

  /** Notes a mark and returns whether it was here already. */
  note(mark: number): boolean {
    const marks = this.#marks;
    const newer = (2 * mark) & (PLACES - 1);
    const older = newer + 1;
    if (marks[newer] === mark || marks[older] === mark) return true;
    marks[older] = marks[newer]!; // both indexes are in range
    marks[newer] = mark;
    return false;
  }
}
