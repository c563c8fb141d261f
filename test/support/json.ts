/** A JSON value read as a stranger would read it: without types. */
// oxlint-disable-next-line typescript/no-explicit-any -- an answer that lacks what a test reads has failed it
export type Json = any;
