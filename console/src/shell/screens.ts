import {
  ArrowLeftRight,
  GitBranch,
  GraduationCap,
  House,
  KeyRound,
  type LucideIcon,
  ScrollText,
  Trash2,
} from 'lucide-react';
import type { Rights } from '../session/viewer.tsx';

export type ScreenPath = '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/access' | '/audit';

/** The groups of the navigation, in order. */
const groups = ['Overview', 'Catalog', 'Administration'] as const;

interface Screen {
  readonly to: ScreenPath;
  readonly name: string;
  readonly Icon: LucideIcon;
  readonly group: (typeof groups)[number];
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
    Icon: House,
    group: 'Overview',
    about: 'Figures, plots and the last changes',
    introduction: 'How many programs and branches there are, how long they take, and what was changed last.',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/programs',
    name: 'Programs',
    Icon: GraduationCap,
    group: 'Catalog',
    about: 'Search, filter and sort',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/branches',
    name: 'Branches',
    Icon: GitBranch,
    group: 'Catalog',
    about: 'Of all programs, by name',
    isOffered: () => true,
  },
  {
    to: '/transfer',
    name: 'Import and export',
    Icon: ArrowLeftRight,
    group: 'Catalog',
    about: 'The catalog as Excel, CSV or JSON',
    introduction: 'Programs and branches as a file: Excel or CSV for a spreadsheet, JSON for other software.',
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/trash',
    name: 'Trash',
    Icon: Trash2,
    group: 'Catalog',
    about: 'Restore what was deleted',
    introduction: 'Deleted records stay here. A program comes back with the branches that were deleted with it.',
    isOffered: ({ canWrite }) => canWrite,
  },
  {
    to: '/access',
    name: 'Access',
    Icon: KeyRound,
    group: 'Administration',
    about: 'Users and keys',
    introduction: 'Users with their roles, and the API keys that they sign in with.',
    isOffered: ({ viewer }) => viewer.role !== null,
  },
  {
    to: '/audit',
    name: 'Audit log',
    Icon: ScrollText,
    group: 'Administration',
    about: 'Who changed what',
    introduction: 'Every change to the catalog, to users and to keys: who made it, when, from what to what.',
    isOffered: ({ canAdminister }) => canAdminister,
  },
];

export const screensFor = (rights: Rights): Screen[] => screens.filter(({ isOffered }) => isOffered(rights));

/** The same in groups, those without a screen left out. */
export const screenGroups = (rights: Rights) =>
  groups
    .map((group) => ({ group, screens: screensFor(rights).filter((screen) => screen.group === group) }))
    .filter((one) => one.screens.length > 0);
