/** The most years that a branch can have; fewer than the letters of the alphabet, which year codes need. */
export const yearsMax = 10;

const firstLetter = 'A'.charCodeAt(0);

/** One year of a branch: its place, from 1, and its code. */
export interface Year {
  readonly year: number;
  readonly code: string;
}

/**
 * The years 1..`years` of a branch with their codes: the prefix and the number of the year, or the
 * letter in its place (`docs/contract.md` 5).
 */
export function yearsOf(years: number, codePrefix: string, codeIsNumeric: boolean): Year[] {
  return Array.from({ length: years }, (_, index) => ({
    year: index + 1,
    code: codePrefix + (codeIsNumeric ? String(index + 1) : String.fromCharCode(firstLetter + index)),
  }));
}
