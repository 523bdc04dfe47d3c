import type { Rights } from '../session/viewer.tsx';

interface Screen {
  readonly to: '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/access' | '/audit';
  readonly name: string;
  /** What one does there, for the command palette. */
  readonly about: string;
  readonly isOffered: (rights: Rights) => boolean;
}

/** Every screen that can be opened without knowing a record: for the navigation and the command palette. */
const screens: readonly Screen[] = [
  { to: '/', name: 'Overview', about: 'Figures, plots and the last changes', isOffered: ({ canRead }) => canRead },
  { to: '/programs', name: 'Programs', about: 'Search, filter and sort', isOffered: ({ canRead }) => canRead },
  { to: '/branches', name: 'Branches', about: 'Of all programs, by name', isOffered: () => true },
  {
    to: '/transfer',
    name: 'Import and export',
    about: 'The catalog as CSV or JSON',
    isOffered: ({ canRead }) => canRead,
  },
  { to: '/trash', name: 'Trash', about: 'Restore what was deleted', isOffered: ({ canWrite }) => canWrite },
  { to: '/access', name: 'Access', about: 'Users and keys', isOffered: ({ canAdminister }) => canAdminister },
  { to: '/audit', name: 'Audit log', about: 'Who changed what', isOffered: ({ canAdminister }) => canAdminister },
];

export const screensFor = (rights: Rights): Screen[] => screens.filter(({ isOffered }) => isOffered(rights));
