import { createTranslator } from 'use-intl/core';
import { reloadPage } from '../browser/reload.ts';
import { deviceStorage } from '../browser/storage.ts';
import type { AnyTranslate, Catalog, Translate } from './catalog.ts';

interface Spoken {
  readonly name: string;
  /** How dates and numbers are written. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** Each catalog is a file of its own: one is loaded. */
  readonly load: () => Promise<{ readonly messages: Catalog }>;
  /** Said while its file is missing, and what loads the page again. */
  readonly notLoaded: string;
  readonly again: string;
}

export const languages = {
  en: {
    name: 'English',
    locale: 'en-GB',
    direction: 'ltr',
    load: () => import('./catalogs/en.ts'),
    notLoaded: 'The console could not be loaded.',
    again: 'Try again',
  },
  de: {
    name: 'Deutsch',
    locale: 'de',
    direction: 'ltr',
    load: () => import('./catalogs/de.ts'),
    notLoaded: 'Die Konsole konnte nicht geladen werden.',
    again: 'Erneut versuchen',
  },
  fr: {
    name: 'Français',
    locale: 'fr',
    direction: 'ltr',
    load: () => import('./catalogs/fr.ts'),
    notLoaded: 'La console n’a pas pu être chargée.',
    again: 'Réessayer',
  },
  es: {
    name: 'Español',
    locale: 'es',
    direction: 'ltr',
    load: () => import('./catalogs/es.ts'),
    notLoaded: 'No se ha podido cargar la consola.',
    again: 'Reintentar',
  },
} as const satisfies Readonly<Record<string, Spoken>>;

export type Language = keyof typeof languages;

const storageName = 'academic-structure-locale';

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

export function chosenLanguage(): Language | undefined {
  const stored = deviceStorage.read(storageName);
  return isLanguage(stored) ? stored : undefined;
}

/** The one that was chosen in this browser, else the first of the browser's that there is. */
export const preferredLanguage = (): Language =>
  chosenLanguage() ?? navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';

/** Chooses another language: the page loads again, and drafts stay. */
export function chooseLanguage(language: Language | undefined): void {
  if (language === undefined) deviceStorage.remove(storageName);
  else deviceStorage.write(storageName, language);
  reloadPage();
}

/** The text of a message: `t('shell.signOut')`; `t.rich` with elements, as in `tags.ts`. */
export let t: Translate;
/** How dates and numbers are written. */
export let locale: string;

/** The text of a message whose key comes from data, if there is one. */
export let textNamed: (key: string, values?: Readonly<Record<string, string | number>>) => string | undefined;

/** Loads a catalog. Modules that have texts are imported after it. */
export async function speak(language: Language): Promise<void> {
  const spoken = languages[language];
  const { messages } = await spoken.load();
  ({ locale } = spoken);
  // By its own types, any message may have any argument.
  const translate = createTranslator({ locale, messages }) as AnyTranslate & Translate;
  t = translate;
  textNamed = (key, values) => (translate.has(key) ? translate(key, values) : undefined);
}
