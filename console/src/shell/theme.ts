import * as z from 'zod/mini';

const themes = z.enum(['system', 'light', 'dark']);

const storageName = 'academic-structure-theme';

export const chosenTheme = () => themes.safeParse(localStorage.getItem(storageName)).data ?? 'system';

/** All colours follow the colour scheme of the page (`theme.css`). */
export function applyTheme(theme = chosenTheme()): void {
  if (theme !== chosenTheme()) localStorage.setItem(storageName, theme);
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}
