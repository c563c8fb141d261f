/**
 * Civil dates of the proleptic Gregorian calendar as integers: a day is the number of days since
 * 1970-01-01. Pure arithmetic, so that `quant` needs no clock and no `Date`.
 * Source: H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil and
 * civil_from_days.
 */
interface CivilDate {
  readonly year: number;
  /** 1 January .. 12 December. */
  readonly month: number;
  /** 1 .. 31. */
  readonly dayOfMonth: number;
}

/** Day count of every annualised figure: actual days over a year of 365, because the market never closes. */
export const DAYS_PER_YEAR = 365;

const DAYS_PER_ERA = 146_097;
const DAYS_FROM_ERA_0_TO_1970 = 719_468;

export function dayOfCivil({ year, month, dayOfMonth }: CivilDate): number {
  const shifted = month <= 2 ? year - 1 : year; // the era's year starts in March
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_FROM_ERA_0_TO_1970;
}

export function civilOfDay(day: number): CivilDate {
  const shifted = day + DAYS_FROM_ERA_0_TO_1970;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth };
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1]!;
}

/** `YYYY-MM-DD` of a day. */
export function dateOfDay(day: number): string {
  const { year, month, dayOfMonth } = civilOfDay(day);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(dayOfMonth).padStart(2, "0")}`;
}

/** Day of a `YYYY-MM-DD` date, or undefined when the text is not a date (2023-02-29 is not). */
export function dayOfDate(date: string): number | undefined {
  if (date.length !== 10 || date[4] !== "-" || date[7] !== "-") return undefined;
  const year = digitsIn(date, 0, 4);
  const month = digitsIn(date, 5, 7);
  const dayOfMonth = digitsIn(date, 8, 10);
  // Comparisons with NaN are false, so text that is not digits is rejected too.
  if (!(year >= 0 && month >= 1 && month <= 12 && dayOfMonth >= 1)) return undefined;
  if (dayOfMonth > 28 && dayOfMonth > daysInMonth(year, month)) return undefined;
  return dayOfCivil({ year, month, dayOfMonth });
}

/** The number that `text` spells in ASCII digits from `from` to `to`; NaN when it holds anything else. */
function digitsIn(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = 10 * value + digit;
  }
  return value;
}
