import { isRole, type Role } from './permissions.ts';

/** The roles here, by the names that an identity provider has for them. */
export type RoleMap = ReadonlyMap<string, Role>;

/**
 * Parses pairs such as `staff=editor,it-admins=admin`. Names may contain `=`, and a comma as `\,` (`\\` is a backslash
 * before one): `CN=Staff\,OU=Groups=editor`. `undefined` if a pair is invalid.
 */
export function parseRoleMap(text: string): RoleMap | undefined {
  const map = new Map<string, Role>();
  for (const pair of splitAtCommas(text)) {
    const [name, role] = [pair.replace(/=[^=]*$/, '').trim(), pair.replace(/^.*=/s, '').trim()];
    if (name === '' || !isRole(role) || map.has(name)) return undefined;
    map.set(name, role);
  }
  return map;
}

function splitAtCommas(text: string): string[] {
  const items = [''];
  for (const [token] of text.matchAll(/\\[\\,]|./gs)) {
    if (token === ',') items.push('');
    else items.push(`${items.pop()}${token.slice(-1)}`);
  }
  return items;
}
