export const yearsMax = 10;

/** Previews the codes that the service makes (`docs/contract.md` 5). */
export function yearCodes(years: number, prefix: string, isNumeric: boolean): string[] {
  return Array.from(
    { length: years },
    (_, index) => prefix + (isNumeric ? index + 1 : String.fromCharCode(65 + index)),
  );
}
