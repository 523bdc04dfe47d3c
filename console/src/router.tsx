import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { consolePath } from './api/service-address.ts';
import { parseAuditSearch } from './audit/search.ts';
import { parseBranchesSearch } from './branches/search.ts';
import { parseChangesSearch } from './changes/search.ts';
import { loadable, ScreenError } from './components/screen-error.tsx';
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

/** The component of a screen, whose files are loaded when it is opened. */
const screen = (load: () => Promise<() => ReactNode>) => lazyRouteComponent(loadable(load));

const seePrograms = { right: 'canRead', what: 'programs' } as const;

const screens = [
  createRoute({
    getParentRoute,
    path: '/',
    component: screen(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen),
  }),
  createRoute({
    getParentRoute,
    path: '/programs',
    validateSearch: parseProgramsSearch,
    component: screen(async () => (await import('./programs/programs-screen.tsx')).ProgramsScreen),
    staticData: { needs: seePrograms },
  }),
  createRoute({
    getParentRoute,
    path: '/programs/new',
    component: screen(async () => (await import('./programs/new-program-screen.tsx')).NewProgramScreen),
    staticData: { needs: { right: 'canWrite', what: 'create' } },
  }),
  createRoute({
    getParentRoute,
    path: '/programs/$programId',
    params: idParam('programId'),
    component: screen(async () => (await import('./programs/program-screen.tsx')).ProgramScreen),
    staticData: { needs: seePrograms },
  }),
  createRoute({
    getParentRoute,
    path: '/branches',
    validateSearch: parseBranchesSearch,
    component: screen(async () => (await import('./branches/branches-screen.tsx')).BranchesScreen),
  }),
  createRoute({
    getParentRoute,
    path: '/branches/$branchId',
    params: idParam('branchId'),
    component: screen(async () => (await import('./branches/branch-screen.tsx')).BranchScreen),
  }),
  createRoute({
    getParentRoute,
    path: '/trash',
    component: screen(async () => (await import('./trash/trash-screen.tsx')).TrashScreen),
    staticData: { needs: { right: 'canWrite', what: 'restore' } },
  }),
  createRoute({
    getParentRoute,
    path: '/transfer',
    validateSearch: parseProgramsSearch,
    component: screen(async () => (await import('./transfer/transfer-screen.tsx')).TransferScreen),
    staticData: { needs: { right: 'canRead', what: 'transfer' } },
  }),
  createRoute({
    getParentRoute,
    path: '/changes',
    validateSearch: parseChangesSearch,
    component: screen(async () => (await import('./changes/changes-screen.tsx')).ChangesScreen),
    staticData: { needs: { right: 'canSeeHistory', what: 'changes' } },
  }),
  createRoute({
    getParentRoute,
    path: '/notes',
    validateSearch: parseNotesSearch,
    component: screen(async () => (await import('./notes/notes-screen.tsx')).NotesScreen),
    staticData: { needs: seePrograms },
  }),
  createRoute({
    getParentRoute,
    path: '/access',
    component: screen(async () => (await import('./access/access-screen.tsx')).AccessScreen),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: parseAuditSearch,
    component: screen(async () => (await import('./audit/audit-screen.tsx')).AuditScreen),
    staticData: { needs: { right: 'canAdminister', what: 'audit' } },
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
