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

interface Screen {
  readonly to: '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/access' | '/audit';
  readonly name: string;
  readonly Icon: LucideIcon;
  /** For the command palette. */
  readonly about: string;
  readonly isFor: (rights: Rights) => boolean;
}

const everybody = () => true;
const readers = ({ canRead }: Rights) => canRead;
const editors = ({ canWrite }: Rights) => canWrite;
const users = ({ viewer }: Rights) => viewer.role !== null;
const administrators = ({ canAdminister }: Rights) => canAdminister;

/** The screens of the navigation and the command palette, in groups. */
const groups: Readonly<Record<string, readonly Screen[]>> = {
  Overview: [{ to: '/', name: 'Overview', Icon: House, about: 'Figures, plots and the last changes', isFor: readers }],
  Catalog: [
    { to: '/programs', name: 'Programs', Icon: GraduationCap, about: 'Search, filter and sort', isFor: readers },
    { to: '/branches', name: 'Branches', Icon: GitBranch, about: 'Of all programs, by name', isFor: everybody },
    { to: '/transfer', name: 'Import and export', Icon: ArrowLeftRight, about: 'Excel, CSV or JSON', isFor: readers },
    { to: '/trash', name: 'Trash', Icon: Trash2, about: 'Restore what was deleted', isFor: editors },
  ],
  Administration: [
    { to: '/access', name: 'Access', Icon: KeyRound, about: 'Users and keys', isFor: users },
    { to: '/audit', name: 'Audit log', Icon: ScrollText, about: 'Who changed what', isFor: administrators },
  ],
};

/** The groups with the screens that a caller may open; none is empty. */
export const screenGroups = (rights: Rights) =>
  Object.entries(groups)
    .map(([group, screens]) => ({ group, screens: screens.filter(({ isFor }) => isFor(rights)) }))
    .filter(({ screens }) => screens.length > 0);

export const screensFor = (rights: Rights) => screenGroups(rights).flatMap(({ screens }) => screens);
