import { t } from '../language/language.ts';
import type { Role } from './documents.generated.ts';

/** What a role may do, in plain words; with a read-only key, it only sees it. */
export const mayDo = (role: Role): string => t(`may.${role}`);

const roleNames: readonly Role[] = ['GUEST', 'VIEWER', 'EDITOR', 'ADMIN'];

export const roles = roleNames.map((value) => ({
  value,
  text: t('access.roleAbout', { role: t(`role.${value}`), may: mayDo(value) }),
}));

/** How long a key is valid from now on. */
export const lifetimes = [
  { value: '30d', text: t('access.days', { count: 30 }) },
  { value: '90d', text: t('access.days', { count: 90 }) },
  { value: '365d', text: t('access.oneYear') },
  { value: 'never', text: t('access.unlimited') },
];
