import * as z from 'zod/mini';

const themes = z.enum(['system', 'light', 'dark']);

const storageName = 'academic-structure-theme';

/** The theme that was chosen in this browser. */
export const chosenTheme = () => themes.safeParse(localStorage.getItem(storageName)).data ?? 'system';

/** All colours follow the colour scheme of the page (`theme.css`), which this attribute sets (`base.css`). */
export function applyTheme(theme: z.infer<typeof themes> | null = null): void {
  if (theme !== null) localStorage.setItem(storageName, theme);
  document.documentElement.dataset['theme'] = theme ?? chosenTheme();
}
