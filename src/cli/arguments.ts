import { Argument, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { identifierMax } from '../academics/identifier.ts';
import { durationForm, expiryForm, parseDuration, parseExpiry as readExpiry } from '../auth/duration.ts';
import { roles } from '../auth/permissions.ts';
import { keyName, userName } from '../auth/schemas.ts';

/** Whether output is machine-readable (`--json`, a global option). */
export interface OutputOptions {
  readonly json?: boolean;
}

/** An argument parser that reports a schema's errors as wrong usage. */
const parserOf =
  <Value>(schema: z.ZodType<Value>) =>
  (text: string): Value => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join(' '));
  };

export const parseUserName = parserOf(userName('The name'));

export const parseKeyName = parserOf(keyName('The name'));

export function parseId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (id <= identifierMax) return id;
  throw new InvalidArgumentError('An id must be a whole number, as shown by `keys list`.');
}

/** Parses a duration of any length, in milliseconds. */
export function parseDurationArgument(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`A duration must be ${durationForm}.`);
}

/** Parses the lifetime of a key, in milliseconds; not zero. */
export function parseExpiry(text: string): number {
  const ms = readExpiry(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`The lifetime of a key must be ${expiryForm}.`);
}

/** The argument `<role>`. */
export const roleArgument = (): Argument => new Argument('<role>', 'role of the user').choices(roles);

/** The option `--role <role>`. */
export const roleOption = (description: string): Option => new Option('--role <role>', description).choices(roles);
