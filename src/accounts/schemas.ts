import { z } from 'zod';
import { orAbsent, orDefault } from '../validation/optional.ts';
import { roles } from '../validation/permissions.ts';
import { issue } from '../validation/problems.ts';
import { singleLine } from '../validation/text.ts';
import { identifier } from '../validation/validate.ts';
import { keyKinds, keyStates } from './keys/api-key.ts';
import { durationForm, type Expiry, lifetimeForm, parseDuration, parseLifetime } from './keys/duration.ts';

/** Characters of the name of a user. */
export const nameMax = 255;

export const userName = (field: string) => singleLine(field, { min: 1, max: nameMax });

export const keyName = (field: string) => singleLine(field, { max: 255 });

const role = z.enum(roles, issue('NOT_ONE_OF', { field: 'role', values: roles.join(', ') }));

const duration = (field: string, form: string, parse: (text: string) => number | undefined) =>
  z.string().transform((text, context) => {
    const ms = parse(text);
    if (ms !== undefined) return ms;
    context.addIssue(issue('NOT_A_DURATION', { field, form }));
    return z.NEVER;
  });

export const newUser = z.object({ name: userName('name'), role });

export const userChanges = z.object({
  ...identifier.shape,
  name: orAbsent(userName('name')),
  role: orAbsent(role),
  disabled: orAbsent(z.boolean(issue('NOT_BOOLEAN', { field: 'disabled' }))),
});

const userId = (field: string) => z.int(issue('NOT_INTEGER', { field })).min(0, issue('NEGATIVE', { field }));

export const identityMove = z.object({ from: userId('from'), to: userId('to') });

const expiresIn = orAbsent(duration('expiresIn', lifetimeForm, parseLifetime));

/** Turns either field into `expiry`. */
function withExpiry<Input extends { expiresAt?: Expiry | undefined; expiresIn?: Expiry | undefined }>(
  input: Input,
  context: z.RefinementCtx,
) {
  const { expiresAt, expiresIn, ...others } = input;
  if (expiresAt !== undefined && expiresIn !== undefined) {
    context.addIssue({ code: 'custom', path: ['expiresIn'], message: 'expiresIn cannot be given with expiresAt.' });
  }
  return { ...others, expiry: expiresAt ?? expiresIn };
}

export const newKey = z
  .object({
    userId: orAbsent(userId('userId')),
    name: orDefault(keyName('name'), ''),
    expiresAt: orAbsent(z.date()),
    expiresIn,
    readOnly: orAbsent(z.boolean(issue('NOT_BOOLEAN', { field: 'readOnly' }))),
  })
  .transform(withExpiry);

export const keyChanges = z
  .object({
    ...identifier.shape,
    name: orAbsent(keyName('name')),
    expiresAt: z
      .date()
      .nullable()
      .transform((expiry) => expiry ?? Number.POSITIVE_INFINITY)
      .optional(),
    expiresIn,
  })
  .transform(withExpiry);

const keyFilter = z.object({
  user: orAbsent(userName('user')),
  userId: orAbsent(userId('userId')),
  kind: orAbsent(z.enum(keyKinds)),
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
