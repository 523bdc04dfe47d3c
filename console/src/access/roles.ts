import type { Role } from './documents.generated.ts';

export const roles: readonly { readonly value: Role; readonly text: string }[] = [
  { value: 'GUEST', text: 'guest: reads and creates branches' },
  { value: 'VIEWER', text: 'viewer: also reads programs' },
  { value: 'EDITOR', text: 'editor: also changes programs and branches' },
  { value: 'ADMIN', text: 'admin: also manages users and keys' },
];

export const noLimit = 'no limit';

export const lifetimes = [
  { value: '30d', text: '30 days' },
  { value: '90d', text: '90 days' },
  { value: '365d', text: 'One year' },
  { value: noLimit, text: 'No limit' },
];

/** How long the old key stays valid after a rotation. */
export const overlaps = [
  { value: '0s', text: 'Not at all: revoke it now' },
  { value: '1h', text: 'One hour' },
  { value: '24h', text: 'One day' },
  { value: '7d', text: 'One week' },
];
