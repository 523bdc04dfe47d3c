import { z } from 'zod';
import { identifier } from '../academics/identifier.ts';
import { orAbsent, orDefault } from '../academics/optional.ts';
import { singleLine } from '../academics/text.ts';
import { durationForm, expiryForm, lifetimeForm, parseDuration, parseExpiry, parseLifetime } from './duration.ts';
import { keyStates } from './key-state.ts';
import { roles } from './permissions.ts';

/** The name of a user; `field` begins its messages. */
export const userName = (field: string) => singleLine(field, { min: 1, max: 255 });

/** What a key is for; `field` begins its messages. */
export const keyName = (field: string) => singleLine(field, { max: 255 });

const role = z.enum(roles, `role must be one of ${roles.join(', ')}.`);

/** A duration as text, in milliseconds. */
const duration = (field: string, form: string, parse: (text: string) => number | undefined) =>
  z.string().transform((text, context) => {
    const ms = parse(text);
    if (ms !== undefined) return ms;
    context.addIssue(`${field} must be ${form}.`);
    return z.NEVER;
  });

/** What adds a user. */
export const newUser = z.object({ name: userName('name'), role });

/** What may change in a user; what is absent stays. */
export const userChanges = z.object({
  name: userName('name'),
  newName: orAbsent(userName('newName')),
  role: orAbsent(role),
  disabled: orAbsent(z.boolean('disabled must be true or false.')),
});

/** What names a user. */
export const namedUser = z.object({ name: userName('name') });

/** What makes an API key. */
export const newKey = z.object({
  user: userName('user'),
  role: orAbsent(role),
  name: orDefault(keyName('name'), ''),
  expiresIn: orAbsent(duration('expiresIn', expiryForm, parseExpiry)),
  readOnly: orDefault(z.boolean('readOnly must be true or false.'), false),
});

/** What may change in an API key; what is absent stays. */
export const keyChanges = z.object({
  ...identifier.shape,
  name: orAbsent(keyName('name')),
  expiresIn: orAbsent(duration('expiresIn', lifetimeForm, parseLifetime)),
});

/** Filter of a list of API keys. */
const keyFilter = z.object({
  user: orAbsent(userName('user')),
  userId: orAbsent(z.int().min(0, 'userId must not be negative.')),
  state: orAbsent(z.enum(keyStates)),
  expiresBefore: orAbsent(z.date()),
  unusedSince: orAbsent(z.date()),
});
export type KeyFilter = Partial<z.output<typeof keyFilter>>;

/** The arguments of a list of API keys. */
export const keyListRequest = z.object({ filter: orDefault(keyFilter, keyFilter.parse({})) });

/** What rotates an API key. */
export const rotation = z.object({
  ...identifier.shape,
  overlap: orDefault(duration('overlap', durationForm, parseDuration), 0),
});
