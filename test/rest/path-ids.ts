/** Malformed path ids; `docs/contract.md` 2 requires a 400 under `id`. */
export const wrongIds = `
  01 00 -1 -0 +1 %2B1 1.0 1.5 1e2 0x1 abc 1a null NaN Infinity undefined __proto__ %20 %201 1%20
  1%0A 1%00 1%2F2 1,2 1;v=1 * %D9%A1 %EF%BC%91 %zz % 1% %E0%A4%A
`
  .trim()
  .split(/\s+/);

/** Numeric path ids that do not exist; `docs/contract.md` 2 requires a 404. */
export const unknownIds = ['0', '999999', '2147483647', '2147483648', '4294967297', '9'.repeat(20), '9'.repeat(400)];

/** The problem of a malformed id. */
export const idProblems = { id: ['id must be a whole number in decimal digits, without leading zeros.'] };
