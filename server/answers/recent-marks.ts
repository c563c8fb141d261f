/** As many as the answers of `/dca` that are kept, roughly: what comes more seldom would be forgotten before it comes again. */
const PLACES = 8192;

/**
 * Whether a text, by its mark, came before, and not too many others ago: behind hundreds it is mostly still known, behind tens
 * of thousands hardly ever. Never sure either way. Two places stand for each mark, so that no two keep pushing each other out.
 */
export class RecentMarks {
  readonly #marks = new Int32Array(PLACES);

  /** Notes a mark, and says whether it stood here already. */
  note(mark: number): boolean {
    const marks = this.#marks;
    const newer = (2 * mark) & (PLACES - 1);
    const older = newer + 1;
    if (marks[newer] === mark || marks[older] === mark) return true;
    marks[older] = marks[newer]!; // both within the places
    marks[newer] = mark;
    return false;
  }
}
