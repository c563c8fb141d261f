import type { CheckWarning } from "../../quant/check/panel.ts";
import type { ReadOptions } from "../formats/export.ts";
import type { Role, RoledColumn } from "./roles.ts";
import type { Units } from "./units.ts";

/** A table while it is read. */
export interface Reading {
  readonly options: ReadOptions;
  readonly warnings: CheckWarning[];
  readonly columns: readonly RoledColumn[];
  /** Unix seconds of each row. */
  readonly instants: Float64Array;
  readonly units: Units;
}

/** What is judged: one column, or several that are variants of one another. */
export interface Judged {
  readonly columns: readonly RoledColumn[];
  readonly role: Role;
}
