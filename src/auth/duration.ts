const form = /^(\d{1,12}(?:\.\d{1,3})?)([smhd])$/;
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A hundred years: longer than any key should live, and far from the end of what a date can hold. */
const longestMs = 36_525 * unitMs.d;

/** A key that lasts no longer has expired before anybody can use it. */
const shortestExpiryMs = 1_000;

/** How a duration is written, for messages. */
export const durationForm = 'a number and s, m, h or d, such as 90d, at most 36525d';

/**
 * Reads a duration: a number and `s`, `m`, `h` or `d` (`docs/contract.md` 9).
 *
 * @returns milliseconds, or `undefined` when the text is not a duration.
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = form.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return undefined;
  const ms = Math.round(Number(amount) * unitMs[unit]);
  return ms <= longestMs ? ms : undefined;
}

/** How the lifetime of a key is written, for messages. */
export const expiryForm = 'a number and s, m, h or d, such as 90d, at least 1s and at most 36525d';

/**
 * Reads how long a key shall work: a duration that is not over at once.
 *
 * @returns milliseconds, or `undefined` when the text is not a duration, or one that is too short.
 */
export function parseExpiry(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms >= shortestExpiryMs ? ms : undefined;
}

/** How a new lifetime of a key is written, for messages. */
export const lifetimeForm = `${expiryForm}, or never`;

/**
 * Reads how long a key shall work from now on: an expiry, or `never`.
 *
 * @returns milliseconds, `Infinity` for `never`, or `undefined` when the text is neither.
 */
export function parseLifetime(text: string): number | undefined {
  return text === 'never' ? Number.POSITIVE_INFINITY : parseExpiry(text);
}

function isUnit(text: string | undefined): text is keyof typeof unitMs {
  return text !== undefined && Object.hasOwn(unitMs, text);
}
