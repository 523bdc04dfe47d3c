import type { Rights } from '../session/viewer.tsx';

interface Screen {
  readonly to: '/' | '/programs';
  readonly name: string;
  /** What one does there, for the command palette. */
  readonly about: string;
  readonly isOffered: (rights: Rights) => boolean;
}

/** Every screen that can be opened without knowing a record: for the navigation and the command palette. */
const screens: readonly Screen[] = [
  { to: '/', name: 'Overview', about: 'Figures, plots and the last changes', isOffered: ({ canRead }) => canRead },
  { to: '/programs', name: 'Programs', about: 'Search, filter and sort', isOffered: ({ canRead }) => canRead },
];

export const screensFor = (rights: Rights): Screen[] => screens.filter(({ isOffered }) => isOffered(rights));
