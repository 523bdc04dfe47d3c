import { z } from 'zod';
import { identifier } from '../academics/identifier.ts';
import { orAbsent, orDefault } from '../academics/optional.ts';
import { singleLine } from '../academics/text.ts';
import { durationForm, expiryForm, parseDuration, parseExpiry } from './duration.ts';
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
  role: orAbsent(role),
  disabled: orAbsent(z.boolean('disabled must be true or false.')),
});

/** What makes an API key. */
export const newKey = z.object({
  user: userName('user'),
  role: orAbsent(role),
  name: orDefault(keyName('name'), ''),
  expiresIn: orAbsent(duration('expiresIn', expiryForm, parseExpiry)),
  readOnly: orDefault(z.boolean('readOnly must be true or false.'), false),
});

/** What rotates an API key. */
export const rotation = z.object({
  ...identifier.shape,
  overlap: orDefault(duration('overlap', durationForm, parseDuration), 0),
});
