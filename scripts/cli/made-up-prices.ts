import type { Manifest } from "../../snapshots/manifest.ts";

/** The last line of a command that shows figures of a made-up market; empty for real prices. */
export function madeUpNotice({ synthetic, source }: Manifest): string {
  if (!synthetic) return "";
  return `\nThe prices of this snapshot are made up (source "${source}"): its figures say nothing about real coins.`;
}
