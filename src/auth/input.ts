import { z } from 'zod';
import { orAbsent, orDefault } from '../academics/optional.ts';
import { oneLine } from '../academics/text.ts';
import { lifetimeForm, parseLifetime } from './lifetime.ts';
import { roles } from './permissions.ts';

/** The name of a user; `field` begins its messages. */
export const userName = (field: string) => oneLine(field, { least: 1, most: 255 });

/** What a key is for; `field` begins its messages. */
export const keyName = (field: string) => oneLine(field, { most: 255 });

const role = z.enum(roles, `role must be one of ${roles.join(', ')}.`);

/** A duration as text, in milliseconds. */
const lifetime = (field: string) =>
  z.string().transform((text, context) => {
    const ms = parseLifetime(text);
    if (ms !== undefined) return ms;
    context.addIssue(`${field} must be ${lifetimeForm}.`);
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
  expiresIn: orAbsent(lifetime('expiresIn')),
  readOnly: orDefault(z.boolean('readOnly must be true or false.'), false),
});

/** What rotates an API key. */
export const rotation = z.object({ id: z.int(), overlap: orDefault(lifetime('overlap'), 0) });
