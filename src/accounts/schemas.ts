import { z } from 'zod';
import { identifier } from '../validation/identifier.ts';
import { orAbsent, orDefault } from '../validation/optional.ts';
import { singleLine } from '../validation/text.ts';
import { keyStates } from './keys/api-key.ts';
import { durationForm, lifetimeForm, parseDuration, parseLifetime } from './keys/duration.ts';
import { roles } from './permissions.ts';

export const userName = (field: string) => singleLine(field, { min: 1, max: 255 });

export const keyName = (field: string) => singleLine(field, { max: 255 });

const role = z.enum(roles, `role must be one of ${roles.join(', ')}.`);

const duration = (field: string, form: string, parse: (text: string) => number | undefined) =>
  z.string().transform((text, context) => {
    const ms = parse(text);
    if (ms !== undefined) return ms;
    context.addIssue(`${field} must be ${form}.`);
    return z.NEVER;
  });

export const newUser = z.object({ name: userName('name'), role });

export const userChanges = z.object({
  name: userName('name'),
  newName: orAbsent(userName('newName')),
  role: orAbsent(role),
  disabled: orAbsent(z.boolean('disabled must be true or false.')),
});

export const namedUser = z.object({ name: userName('name') });

export const newKey = z.object({
  user: userName('user'),
  role: orAbsent(role),
  name: orDefault(keyName('name'), ''),
  expiresIn: orAbsent(duration('expiresIn', lifetimeForm, parseLifetime)),
  readOnly: orDefault(z.boolean('readOnly must be true or false.'), false),
});

export const keyChanges = z.object({
  ...identifier.shape,
  name: orAbsent(keyName('name')),
  expiresIn: orAbsent(duration('expiresIn', lifetimeForm, parseLifetime)),
});

const keyFilter = z.object({
  user: orAbsent(userName('user')),
  userId: orAbsent(z.int().min(0, 'userId must not be negative.')),
  state: orAbsent(z.enum(keyStates)),
  expiresBefore: orAbsent(z.date()),
  unusedSince: orAbsent(z.date()),
});
export type KeyFilter = Partial<z.output<typeof keyFilter>>;

export const keyListRequest = z.object({ filter: orDefault(keyFilter, keyFilter.parse({})) });

export const rotation = z.object({
  ...identifier.shape,
  overlap: orDefault(duration('overlap', durationForm, parseDuration), 0),
});
