/**
 * What a template says at the close of a day: one byte with two independent conditions. Whether a position
 * is held is up to the engine, not the template. When flat, the engine enters on ENTER alone (a day with
 * both is no entry); when long, it exits on EXIT.
 */
export const ENTER = 1;
export const EXIT = 2;
