import {
  ArrowLeftRight,
  BookMarked,
  GitBranch,
  GraduationCap,
  History,
  House,
  KeyRound,
  type LucideIcon,
  ScrollText,
  StickyNote,
  Tags,
  Trash2,
} from 'lucide-react';
import { t } from '../language/language.ts';
import type { Right, Rights } from '../session/viewer.tsx';

interface Screen {
  readonly to: `/${'' | 'programs' | 'branches' | 'transfer' | 'notes' | 'changes' | 'editions' | 'trash' | 'access' | 'attributes' | 'audit'}`;
  readonly name: string;
  readonly Icon: LucideIcon;
  /** For the command palette. */
  readonly about: string;
  /** Every user may open a screen without it. */
  readonly right?: Right;
}

/** The screens of the navigation and the command palette, in groups. */
const groups: Readonly<Record<string, readonly Screen[]>> = {
  [t('shell.overview')]: [
    { to: '/', name: t('shell.overview'), Icon: House, about: t('shell.overviewAbout'), right: 'canRead' },
  ],
  [t('shell.catalog')]: [
    {
      to: '/programs',
      name: t('common.many', { kind: 'PROGRAM' }),
      Icon: GraduationCap,
      about: t('shell.programsAbout'),
      right: 'canRead',
    },
    {
      to: '/branches',
      name: t('common.many', { kind: 'BRANCH' }),
      Icon: GitBranch,
      about: t('shell.branchesAbout'),
    },
    {
      to: '/transfer',
      name: t('shell.transfer'),
      Icon: ArrowLeftRight,
      about: t('shell.transferAbout'),
      right: 'canRead',
    },
    { to: '/notes', name: t('shell.notes'), Icon: StickyNote, about: t('shell.notesAbout'), right: 'canRead' },
    { to: '/changes', name: t('shell.changes'), Icon: History, about: t('shell.changesAbout'), right: 'canSeeHistory' },
    { to: '/editions', name: t('editions.title'), Icon: BookMarked, about: t('shell.editionsAbout'), right: 'canRead' },
    { to: '/attributes', name: t('field.attributes'), Icon: Tags, about: t('shell.attributesAbout'), right: 'canRead' },
    { to: '/trash', name: t('shell.trash'), Icon: Trash2, about: t('shell.trashAbout'), right: 'canWrite' },
  ],
  [t('shell.administration')]: [
    { to: '/access', name: t('shell.access'), Icon: KeyRound, about: t('shell.accessAbout'), right: 'isUser' },
    { to: '/audit', name: t('shell.audit'), Icon: ScrollText, about: t('shell.auditAbout'), right: 'canAdminister' },
  ],
};

/** The groups with the screens that a caller may open; none is empty. */
export const screenGroups = (rights: Rights) =>
  Object.entries(groups)
    .map(([group, screens]) => ({
      group,
      screens: screens.filter(({ right }) => right === undefined || rights[right]),
    }))
    .filter(({ screens }) => screens.length > 0);

export const screensFor = (rights: Rights) => screenGroups(rights).flatMap(({ screens }) => screens);
