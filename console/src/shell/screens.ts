import {
  ArrowLeftRight,
  GitBranch,
  GraduationCap,
  History,
  House,
  KeyRound,
  type LucideIcon,
  ScrollText,
  StickyNote,
  Trash2,
} from 'lucide-react';
import { t } from '../language/language.ts';
import type { Rights } from '../session/viewer.tsx';

interface Screen {
  readonly to: '/' | '/programs' | '/branches' | '/trash' | '/transfer' | '/changes' | '/notes' | '/access' | '/audit';
  readonly name: string;
  readonly Icon: LucideIcon;
  /** For the command palette. */
  readonly about: string;
  readonly isFor: (rights: Rights) => boolean;
}

const everybody = () => true;
const readers = ({ canRead }: Rights) => canRead;
const historians = ({ canSeeHistory }: Rights) => canSeeHistory;
const editors = ({ canWrite }: Rights) => canWrite;
const users = ({ viewer }: Rights) => viewer.role !== null;
const administrators = ({ canAdminister }: Rights) => canAdminister;

/** The screens of the navigation and the command palette, in groups. */
const groups: Readonly<Record<string, readonly Screen[]>> = {
  [t('shell.overview')]: [
    { to: '/', name: t('shell.overview'), Icon: House, about: t('shell.overviewAbout'), isFor: readers },
  ],
  [t('shell.catalog')]: [
    {
      to: '/programs',
      name: t('common.many', { kind: 'PROGRAM' }),
      Icon: GraduationCap,
      about: t('shell.programsAbout'),
      isFor: readers,
    },
    {
      to: '/branches',
      name: t('common.many', { kind: 'BRANCH' }),
      Icon: GitBranch,
      about: t('shell.branchesAbout'),
      isFor: everybody,
    },
    {
      to: '/transfer',
      name: t('shell.transfer'),
      Icon: ArrowLeftRight,
      about: t('shell.transferAbout'),
      isFor: readers,
    },
    { to: '/notes', name: t('shell.notes'), Icon: StickyNote, about: t('shell.notesAbout'), isFor: readers },
    { to: '/changes', name: t('shell.changes'), Icon: History, about: t('shell.changesAbout'), isFor: historians },
    { to: '/trash', name: t('shell.trash'), Icon: Trash2, about: t('shell.trashAbout'), isFor: editors },
  ],
  [t('shell.administration')]: [
    { to: '/access', name: t('shell.access'), Icon: KeyRound, about: t('shell.accessAbout'), isFor: users },
    { to: '/audit', name: t('shell.audit'), Icon: ScrollText, about: t('shell.auditAbout'), isFor: administrators },
  ],
};

/** The groups with the screens that a caller may open; none is empty. */
export const screenGroups = (rights: Rights) =>
  Object.entries(groups)
    .map(([group, screens]) => ({ group, screens: screens.filter(({ isFor }) => isFor(rights)) }))
    .filter(({ screens }) => screens.length > 0);

export const screensFor = (rights: Rights) => screenGroups(rights).flatMap(({ screens }) => screens);
