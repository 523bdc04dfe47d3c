import type { Role } from './documents.generated.ts';

/** What a role may do, in plain words; with a read-only key, it only sees it. */
export const mayDo: Readonly<Record<Role, string>> = {
  GUEST: 'sees branches, and adds some by the API',
  VIEWER: 'sees programs and branches, and adds branches',
  EDITOR: 'sees, adds, changes, deletes and restores programs and branches',
  ADMIN: 'keeps the catalog as an editor does, manages users and keys, and reads the audit log',
};

const roleNames: readonly Role[] = ['GUEST', 'VIEWER', 'EDITOR', 'ADMIN'];

export const roles = roleNames.map((value) => ({ value, text: `${value.toLowerCase()}: ${mayDo[value]}` }));

/** How long a key is valid from now on. */
export const lifetimes = [
  { value: '30d', text: '30 days' },
  { value: '90d', text: '90 days' },
  { value: '365d', text: 'One year' },
  { value: 'never', text: 'No limit' },
];
