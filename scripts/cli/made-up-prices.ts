import type { Manifest } from "../../snapshots/manifest.ts";

/** Prints the last line of a command that shows figures, where they are of a made-up market. */
export function tellMadeUpPrices({ synthetic, source }: Manifest): void {
  if (!synthetic) return;
  console.log(
    `\nThe prices of this snapshot are made up (source "${source}"): its figures say nothing about real coins.`,
  );
}
