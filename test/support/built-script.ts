import { fileURLToPath } from "node:url";

/** A script as `make test` has built it, before the tests run: `hindsight`, `faults/flood`. */
export function builtScript(name: string): string {
  return fileURLToPath(new URL(`../../dist/scripts/${name}.js`, import.meta.url));
}

/** The command line. */
export const HINDSIGHT = builtScript("hindsight");
