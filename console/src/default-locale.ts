const english = { locale: 'en-US', direction: 'ltr' } as const;

/** In place of React Aria's module, which asks `Intl` what the browser supports: the console is in English alone. */
export const useDefaultLocale = (): typeof english => english;
