import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { parseAuditSearch } from './audit/search.ts';
import { parseBranchesSearch } from './branches/search.ts';
import { parseProgramsSearch } from './programs/search.ts';
import { NotFound } from './shell/no-screen.tsx';
import { loadable, ScreenError } from './shell/screen-error.tsx';
import { Shell } from './shell/shell.tsx';

/** A path parameter with the id of a record; other text does not match the route. */
const idParam = <Name extends string>(name: Name) => ({
  parse: (raw: Record<Name, string>): Record<Name, number> | false =>
    /^[1-9]\d{0,9}$/.test(raw[name]) && ({ [name]: Number(raw[name]) } as Record<Name, number>),
  stringify: (params: Record<Name, number>): Record<Name, string> =>
    ({ [name]: String(params[name]) }) as Record<Name, string>,
});

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const getParentRoute = () => root;

/** The component of a screen, whose files are loaded when it is opened. */
const screen = (load: () => Promise<() => ReactNode>) => lazyRouteComponent(loadable(load));

const overview = createRoute({
  getParentRoute,
  path: '/',
  component: screen(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen),
});

const programs = createRoute({
  getParentRoute,
  path: '/programs',
  validateSearch: parseProgramsSearch,
  component: screen(async () => (await import('./programs/programs-screen.tsx')).ProgramsScreen),
});

const newProgram = createRoute({
  getParentRoute,
  path: '/programs/new',
  component: screen(async () => (await import('./program/new-program-screen.tsx')).NewProgramScreen),
});

const program = createRoute({
  getParentRoute,
  path: '/programs/$programId',
  params: idParam('programId'),
  component: screen(async () => (await import('./program/program-screen.tsx')).ProgramScreen),
});

const branches = createRoute({
  getParentRoute,
  path: '/branches',
  validateSearch: parseBranchesSearch,
  component: screen(async () => (await import('./branches/branches-screen.tsx')).BranchesScreen),
});

const branch = createRoute({
  getParentRoute,
  path: '/branches/$branchId',
  params: idParam('branchId'),
  component: screen(async () => (await import('./branch/branch-screen.tsx')).BranchScreen),
});

const trash = createRoute({
  getParentRoute,
  path: '/trash',
  component: screen(async () => (await import('./trash/trash-screen.tsx')).TrashScreen),
});

const transfer = createRoute({
  getParentRoute,
  path: '/transfer',
  validateSearch: parseProgramsSearch,
  component: screen(async () => (await import('./transfer/transfer-screen.tsx')).TransferScreen),
});

const access = createRoute({
  getParentRoute,
  path: '/access',
  component: screen(async () => (await import('./access/access-screen.tsx')).AccessScreen),
});

const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screen(async () => (await import('./audit/audit-screen.tsx')).AuditScreen),
});

const routeTree = root.addChildren([
  overview,
  programs,
  newProgram,
  program,
  branches,
  branch,
  trash,
  transfer,
  access,
  audit,
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the search field gets the focus when the screen opens. */
    readonly beginsInSearch?: boolean;
  }

  interface Register {
    router: typeof router;
  }
}
