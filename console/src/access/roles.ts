import { t } from '../language/language.ts';
import type { Role } from './documents.generated.ts';

/** What a role may do, in plain words; with a read-only key, it only sees it. */
export const mayDo = (role: Role): string => t(`may.${role}`);

/** Roles that change nothing of the catalog, and then those that do; each may do what those before it may. */
const readers: readonly Role[] = ['GUEST', 'VIEWER'];
const roleNames: readonly Role[] = [...readers, 'EDITOR', 'ADMIN'];

/** Whether a new key is read-only unless its maker says otherwise. */
export const isReader = (role: Role | null | undefined): boolean => readers.some((reader) => reader === role);

export const roles = roleNames.map((value) => ({
  value,
  text: t('access.roleAbout', { role: t(`role.${value}`), may: mayDo(value) }),
}));

/** That a key is valid until the end of a day. */
export const untilDay = 'day';

/** How long a key is valid from now on. */
export const lifetimes = [
  { value: '30d', text: t('access.days', { count: 30 }) },
  { value: '90d', text: t('access.days', { count: 90 }) },
  { value: '365d', text: t('access.oneYear') },
  { value: 'never', text: t('access.unlimited') },
  { value: untilDay, text: t('access.untilDay') },
];
