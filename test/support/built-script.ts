import { fileURLToPath } from "node:url";

/** The path of a script that `make test` has built, such as `hindsight` or `faults/mutants`. */
export function builtScript(name: string): string {
  return fileURLToPath(new URL(`../../dist/scripts/${name}.js`, import.meta.url));
}

/** The command line. */
export const HINDSIGHT = builtScript("hindsight");
