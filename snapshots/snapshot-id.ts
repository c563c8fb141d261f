import { dateOfDay, dayOfDate } from "../quant/calendar.ts";

/** The parts of a snapshot's folder name: `<as_of>T<run instant>-<content hash>`. */
export interface SnapshotId {
  readonly asOf: number;
  /** Milliseconds since 1970. */
  readonly instantMs: number;
  /** CONTENT_HASH_LENGTH lower-case hex digits. */
  readonly contentHash: string;
}

export const CONTENT_HASH_LENGTH = 12;
// 2026-11-20T20261121T031500123Z-0123456789ab. No colon and no dot, because some file systems refuse them.
const ID_PATTERN =
  /^(\d{4}-\d{2}-\d{2})T(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-([0-9a-f]{12})$/;

export function formatSnapshotId({ asOf, instantMs, contentHash }: SnapshotId): string {
  const instant = new Date(instantMs).toISOString().replaceAll(/[-:.]/g, "");
  return `${dateOfDay(asOf)}T${instant}-${contentHash}`;
}

/** The parts of a folder's name, or undefined when it is not the name of a snapshot. */
export function parseSnapshotId(id: string): SnapshotId | undefined {
  const match = ID_PATTERN.exec(id);
  const asOf = dayOfDate(match?.[1] ?? "");
  if (match === null || asOf === undefined) return undefined;
  const [, , year, month, day, hour, minute, second, milli, contentHash] = match;
  const instantMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`);
  if (Number.isNaN(instantMs) || contentHash === undefined) return undefined;
  return { asOf, instantMs, contentHash };
}
