/**
 * What a template says at the close of a day: a byte of two independent conditions. The engine,
 * not the template, knows whether it holds a position: when flat it enters on ENTER alone (a day
 * that says both is no entry), when long it exits on EXIT.
 */
export const ENTER = 1;
export const EXIT = 2;
