/** Maximum years of a branch; year codes allow at most 26, one per letter. */
export const yearsMax = 10;

const firstLetter = 'A'.charCodeAt(0);

export interface Year {
  readonly year: number;
  readonly code: string;
}

/** The years 1..`years` of a branch and their codes: the prefix and a number or letter (`docs/contract.md` 5). */
export function yearsOf(years: number, codePrefix: string, codeIsNumeric: boolean): Year[] {
  return Array.from({ length: years }, (_, index) => ({
    year: index + 1,
    code: codePrefix + (codeIsNumeric ? String(index + 1) : String.fromCharCode(firstLetter + index)),
  }));
}

/** The number or letter of each year, as JSON for SQL. */
export const yearSuffixes = JSON.stringify(
  [true, false].flatMap((is_numeric) =>
    yearsOf(yearsMax, '', is_numeric).map(({ year, code: suffix }) => ({ is_numeric, year, suffix })),
  ),
);
