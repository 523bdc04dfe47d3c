import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** u-a-s: university academic structure. A fixed prefix lets secret scanners find a leaked key. */
export const keyPrefix = 'uas_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;

const form = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** CRC-32 in base62: not a secret, only so that a typo is rejected without a query. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** A new API key: `uas_`, 32 random base62 characters (190 bits) and a 6-character checksum (`docs/contract.md` 3). */
export function makeApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return keyPrefix + random + checksumOf(keyPrefix + random);
}

/** A key with the prefix `uas_` needs the right form and checksum; operators may choose any other text. */
export function isWellFormedApiKey(text: string): boolean {
  if (!text.startsWith(keyPrefix)) return true;
  return form.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}
