import * as z from 'zod/mini';
import { deviceStorage } from '../browser/storage.ts';

const themes = z.enum(['system', 'light', 'dark']);

const storageName = 'academic-structure-theme';

export const chosenTheme = () => themes.safeParse(deviceStorage.read(storageName)).data ?? 'system';

/** All colours follow the colour scheme of the page (`theme.css`). */
export function applyTheme(theme = chosenTheme()): void {
  if (theme !== chosenTheme()) deviceStorage.write(storageName, theme);
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}
