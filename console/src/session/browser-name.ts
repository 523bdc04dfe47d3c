import { t } from '../language/language.ts';

/** How the service names the sessions of browsers. */
const named = /^(A browser|Edge|Opera|Firefox|Chrome|Safari)(?: on (Windows|Android|iPhone|iPad|Mac|CrOS|Linux))?$/;

/** The name of a session in the language of the user; any other name as it is. */
export function browserName(name: string): string {
  const [, browser, system] = named.exec(name) ?? [];
  if (browser === undefined) return name;
  const said = browser === 'A browser' ? t('session.aBrowser') : browser;
  return system === undefined ? said : t('session.browserOn', { browser: said, system });
}
