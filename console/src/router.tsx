import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type StaticDataRouteOption,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { consolePath } from './api/service-address.ts';
import { parseAuditSearch } from './audit/search.ts';
import { parseBranchesSearch } from './branches/search.ts';
import { parseChangesSearch } from './changes/search.ts';
import { loadable, ScreenError } from './components/screen-error.tsx';
import { parseComparisonSearch } from './editions/points.ts';
import { parseNotesSearch } from './notes/search.ts';
import { parseProgramsSearch } from './programs/search.ts';
import { isId } from './search-parameters.ts';
import type { Right } from './session/viewer.tsx';
import { NotFound } from './shell/no-screen.tsx';
import { Shell } from './shell/shell.tsx';

/** A path parameter with the id of a record; other text does not match the route. */
const idParam = <Name extends string>(name: Name) => ({
  parse: (raw: Record<Name, string>): Record<Name, number> | false =>
    /^[1-9]\d*$/.test(raw[name]) && isId(Number(raw[name])) && ({ [name]: Number(raw[name]) } as Record<Name, number>),
  stringify: (params: Record<Name, number>): Record<Name, string> =>
    ({ [name]: String(params[name]) }) as Record<Name, string>,
});

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const getParentRoute = () => root;

/** A screen, whose files are loaded when it is opened. */
const screenAt = <Path extends string>(
  path: Path,
  load: () => Promise<() => ReactNode>,
  needs?: StaticDataRouteOption['needs'],
) => ({
  getParentRoute,
  path,
  component: lazyRouteComponent(loadable(load)),
  staticData: needs === undefined ? {} : { needs },
});

const seePrograms = { right: 'canRead', what: 'programs' } as const;
const create = { right: 'canWrite', what: 'create' } as const;
const restore = { right: 'canWrite', what: 'restore' } as const;
const transfer = { right: 'canRead', what: 'transfer' } as const;
const seeChanges = { right: 'canSeeHistory', what: 'changes' } as const;
const seeLog = { right: 'canAdminister', what: 'audit' } as const;

const screens = [
  createRoute(screenAt('/', async () => (await import('./overview/overview-screen.tsx')).OverviewScreen)),
  createRoute({
    ...screenAt('/programs', async () => (await import('./programs/programs-screen.tsx')).ProgramsScreen, seePrograms),
    validateSearch: parseProgramsSearch,
  }),
  createRoute(
    screenAt('/programs/new', async () => (await import('./programs/new-program-screen.tsx')).NewProgramScreen, create),
  ),
  createRoute({
    ...screenAt(
      '/programs/$programId',
      async () => (await import('./programs/program-screen.tsx')).ProgramScreen,
      seePrograms,
    ),
    params: idParam('programId'),
  }),
  createRoute({
    ...screenAt('/branches', async () => (await import('./branches/branches-screen.tsx')).BranchesScreen),
    validateSearch: parseBranchesSearch,
  }),
  createRoute({
    ...screenAt('/branches/$branchId', async () => (await import('./branches/branch-screen.tsx')).BranchScreen),
    params: idParam('branchId'),
  }),
  createRoute(screenAt('/trash', async () => (await import('./trash/trash-screen.tsx')).TrashScreen, restore)),
  createRoute({
    ...screenAt('/transfer', async () => (await import('./transfer/transfer-screen.tsx')).TransferScreen, transfer),
    validateSearch: parseProgramsSearch,
  }),
  createRoute({
    ...screenAt('/changes', async () => (await import('./changes/changes-screen.tsx')).ChangesScreen, seeChanges),
    validateSearch: parseChangesSearch,
  }),
  createRoute({
    ...screenAt('/notes', async () => (await import('./notes/notes-screen.tsx')).NotesScreen, seePrograms),
    validateSearch: parseNotesSearch,
  }),
  createRoute(
    screenAt('/editions', async () => (await import('./editions/editions-screen.tsx')).EditionsScreen, seePrograms),
  ),
  createRoute({
    ...screenAt(
      '/editions/compare',
      async () => (await import('./editions/comparison-screen.tsx')).ComparisonScreen,
      seePrograms,
    ),
    validateSearch: parseComparisonSearch,
  }),
  createRoute(screenAt('/access', async () => (await import('./access/access-screen.tsx')).AccessScreen)),
  createRoute(
    screenAt(
      '/attributes',
      async () => (await import('./definitions/attributes-screen.tsx')).AttributesScreen,
      seePrograms,
    ),
  ),
  createRoute({
    ...screenAt('/audit', async () => (await import('./audit/audit-screen.tsx')).AuditScreen, seeLog),
    validateSearch: parseAuditSearch,
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: consolePath,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the search field gets the focus when the screen opens. */
    readonly beginsInSearch?: boolean;
  }

  interface StaticDataRouteOption {
    /** The right that the screen needs, and what it is for: of `shell.mayNot`. */
    readonly needs?: { readonly right: Right; readonly what: string };
  }

  interface Register {
    router: typeof router;
  }
}
