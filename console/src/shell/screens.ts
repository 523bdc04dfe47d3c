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

/** The groups of the navigation, in order. */
const groups = ['Overview', 'Catalog', 'Administration'] as const;

interface Screen {
  readonly to: '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/access' | '/audit';
  readonly name: string;
  readonly Icon: LucideIcon;
  readonly group: (typeof groups)[number];
  /** For the command palette. */
  readonly about: string;
  readonly isOffered: (rights: Rights) => boolean;
}

/** The screens in the navigation and the command palette. */
const screens: readonly Screen[] = [
  {
    to: '/',
    name: 'Overview',
    Icon: House,
    group: 'Overview',
    about: 'Figures, plots and the last changes',
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
    isOffered: ({ canRead }) => canRead,
  },
  {
    to: '/trash',
    name: 'Trash',
    Icon: Trash2,
    group: 'Catalog',
    about: 'Restore what was deleted',
    isOffered: ({ canWrite }) => canWrite,
  },
  {
    to: '/access',
    name: 'Access',
    Icon: KeyRound,
    group: 'Administration',
    about: 'Users and keys',
    isOffered: ({ viewer }) => viewer.role !== null,
  },
  {
    to: '/audit',
    name: 'Audit log',
    Icon: ScrollText,
    group: 'Administration',
    about: 'Who changed what',
    isOffered: ({ canAdminister }) => canAdminister,
  },
];

export const screensFor = (rights: Rights): Screen[] => screens.filter(({ isOffered }) => isOffered(rights));

/** The same in groups, those without a screen left out. */
export const screenGroups = (rights: Rights) =>
  groups
    .map((group) => ({ group, screens: screensFor(rights).filter((screen) => screen.group === group) }))
    .filter((one) => one.screens.length > 0);
