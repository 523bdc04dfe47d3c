const form = /^(\d{1,12}(?:\.\d{1,3})?)([smhd])$/;
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A hundred years: no key should live longer, and a date can hold more. */
export const longestMs = 36_525 * unitMs.d;

/** A shorter-lived key would expire before its first use. */
const shortestExpiryMs = 1_000;

export const durationForm = 'a number and s, m, h or d, such as 90d, at most 36525d';

/** A number and `s`, `m`, `h` or `d`, in milliseconds (`docs/contract.md` 9). */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = form.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return undefined;
  const ms = Math.round(Number(amount) * unitMs[unit]);
  return ms <= longestMs ? ms : undefined;
}

/** Expiry of a key: at a time, or after milliseconds from now; `Infinity` for never. */
export type Expiry = Date | number;

export const lifetimeForm = 'a number and s, m, h or d, such as 90d, at least 1s and at most 36525d, or never';

/** Reads a lifetime in milliseconds from now; `Infinity` for `never`. */
export function parseLifetime(text: string): number | undefined {
  if (text === 'never') return Number.POSITIVE_INFINITY;
  const ms = parseDuration(text);
  return ms !== undefined && ms >= shortestExpiryMs ? ms : undefined;
}

function isUnit(text: string | undefined): text is keyof typeof unitMs {
  return text !== undefined && Object.hasOwn(unitMs, text);
}
