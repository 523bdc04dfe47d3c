import { Argument, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { identifierMax } from '../academics/identifier.ts';
import { durationForm, expiryForm, parseDuration, parseExpiry as readExpiry } from '../auth/duration.ts';
import { roles } from '../auth/permissions.ts';
import { keyName, userName } from '../auth/schemas.ts';

/** Whether output is for a program (`--json`, known to every command). */
export interface OutputOptions {
  readonly json?: boolean;
}

/** Makes commander refuse, as wrong usage, what a schema refuses. */
const accepting =
  <Value>(schema: z.ZodType<Value>) =>
  (text: string): Value => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join(' '));
  };

export const parseUserName = accepting(userName('The name'));

export const parseKeyName = accepting(keyName('The name'));

export function parseId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (id <= identifierMax) return id;
  throw new InvalidArgumentError('An id is a whole number, as `keys list` shows it.');
}

/** A duration of any length, in milliseconds. */
export function parseDurationArgument(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`A duration is ${durationForm}.`);
}

/** How long a key works, in milliseconds: not over at once. */
export function parseExpiry(text: string): number {
  const ms = readExpiry(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`The lifetime of a key is ${expiryForm}.`);
}

/** The argument `<role>`. */
export const roleArgument = (): Argument => new Argument('<role>', 'what the user may do').choices(roles);

/** The option `--role <role>`. */
export const roleOption = (description: string): Option => new Option('--role <role>', description).choices(roles);
