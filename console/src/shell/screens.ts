import type { Rights } from '../session/viewer.tsx';

export type ScreenPath = '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/access' | '/audit';

interface Screen {
  readonly to: ScreenPath;
  readonly name: string;
  /** For the command palette. */
  readonly about: string;
  /** Below the title of the screen; a list has none, to show more rows. */
  readonly introduction?: string;
  readonly isOffered: (rights: Rights) => boolean;
}

/** The screens in the navigation and the command palette. */
export const screens: readonly Screen[] = [
  {
    to: '/',
    name: 'Overview',
    about: 'Figures, plots and the last changes',
    introduction: 'How many programs and branches there are, how long they take, and what was changed last.',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/programs',
    name: 'Programs',
    about: 'Search, filter and sort',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/branches',
    name: 'Branches',
    about: 'Of all programs, by name',
    isOffered: () => true,
  },
  {
    to: '/transfer',
    name: 'Import and export',
    about: 'The catalog as Excel, CSV or JSON',
    introduction: 'Programs and branches as a file: Excel or CSV for a spreadsheet, JSON for other software.',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/trash',
    name: 'Trash',
    about: 'Restore what was deleted',
    introduction: 'Deleted records stay here. A program comes back with the branches that were deleted with it.',
    isOffered: ({ canWrite }) => canWrite,
  },
  {
    to: '/access',
    name: 'Access',
    about: 'Users and keys',
    introduction: 'Users with their roles, and the API keys that they sign in with.',
    isOffered: ({ viewer }) => viewer.role !== null,
  },
  {
    to: '/audit',
    name: 'Audit log',
    about: 'Who changed what',
    introduction: 'Every change to the catalog, to users and to keys: who made it, when, from what to what.',
    isOffered: ({ canAdminister }) => canAdminister,
  },
];

export const screensFor = (rights: Rights): Screen[] => screens.filter(({ isOffered }) => isOffered(rights));
