import { HeldSnapshots, type HeldSnapshotsOptions } from "../../server/jobs/held-snapshots.ts";

/** A process that has this snapshot loaded, or none, and by default nothing else. */
export function holding(
  current: string | undefined,
  options: Partial<HeldSnapshotsOptions> = {},
): HeldSnapshots {
  return new HeldSnapshots({
    root: "/nonexistent",
    current: () => current,
    monotonicMs: () => 0,
    warn: () => {},
    ...options,
  });
}
