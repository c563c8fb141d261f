import type { Manifest } from "../../snapshots/manifest.ts";

/** Says at the end of a report that its prices are made up, if they are. */
export function tellMadeUpPrices({ synthetic, source }: Manifest): void {
  if (!synthetic) return;
  console.log(
    `\nThe prices of this snapshot are made up (source "${source}"): its figures say nothing about real coins.`,
  );
}
