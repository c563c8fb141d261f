/** Parsers of the values of options. A value that is refused ends the command and says what is allowed. */
import { InvalidArgumentError } from "commander";
import { dayOfDate } from "../quant/calendar.ts";

/** A parser that refuses a text for which `valueOf` is undefined. */
export function allowed<Value>(
  what: string,
  valueOf: (text: string) => Value | undefined,
): (text: string) => Value {
  return (text) => {
    const value = valueOf(text);
    if (value === undefined) throw new InvalidArgumentError(`Allowed ${what}.`);
    return value;
  };
}

/** A parser of texts that are not empty, as a variable that is set to nothing is. */
export function notEmpty(what: string): (text: string) => string {
  return allowed(`is ${what}`, (text) => (text === "" ? undefined : text));
}

/** A parser of whole numbers within these bounds, with no more digits than the upper bound has. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return allowed(`are whole numbers ${bounds}`, (text) => {
    const isShort = /^\d+$/.test(text) && text.length <= String(max).length;
    return isShort && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
  });
}

/** A parser of the finite numbers that `isAllowed` takes. */
export function numberThat(
  what: string,
  isAllowed: (number: number) => boolean,
): (text: string) => number {
  return allowed(`are ${what}`, (text) => {
    const number = text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(number) && isAllowed(number) ? number : undefined;
  });
}

/** A parser that accepts dates and returns their text. */
export const date = allowed("are dates such as 2026-01-31", (text) =>
  dayOfDate(text) === undefined ? undefined : text,
);

export const lowerCase = (text: string) => text.toLowerCase();
