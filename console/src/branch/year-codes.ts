/** Years that a branch can have. */
export const yearsMax = 10;

/** The codes of the years as the service will make them, for a preview (`docs/contract.md` 5). */
export function yearCodes(years: number, prefix: string, isNumeric: boolean): string[] {
  return Array.from(
    { length: years },
    (_, index) => prefix + (isNumeric ? index + 1 : String.fromCharCode(65 + index)),
  );
}
