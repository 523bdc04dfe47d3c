import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseAuditSearch } from './audit/search.ts';
import { parseBranchesSearch } from './branches/search.ts';
import { parseProgramsSearch } from './programs/search.ts';
import { screenFiles } from './screen-files.ts';
import { Failed } from './shell/failed.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

/** A path parameter that is the id of a record; any other text is an address that does not exist. */
const idParam = <Name extends string>(name: Name) => ({
  parse: (raw: Record<Name, string>): Record<Name, number> | false =>
    /^[1-9]\d{0,9}$/.test(raw[name]) && ({ [name]: Number(raw[name]) } as Record<Name, number>),
  stringify: (params: Record<Name, number>): Record<Name, string> =>
    ({ [name]: String(params[name]) }) as Record<Name, string>,
});

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(screenFiles['/'], 'OverviewScreen'),
});

const programs = createRoute({
  getParentRoute: () => root,
  path: '/programs',
  validateSearch: parseProgramsSearch,
  component: lazyRouteComponent(screenFiles['/programs'], 'ProgramsScreen'),
});

const newProgram = createRoute({
  getParentRoute: () => root,
  path: '/programs/new',
  component: lazyRouteComponent(screenFiles['/programs/new'], 'NewProgramScreen'),
});

const program = createRoute({
  getParentRoute: () => root,
  path: '/programs/$programId',
  params: idParam('programId'),
  component: lazyRouteComponent(screenFiles['/programs/$programId'], 'ProgramScreen'),
});

const branches = createRoute({
  getParentRoute: () => root,
  path: '/branches',
  validateSearch: parseBranchesSearch,
  component: lazyRouteComponent(screenFiles['/branches'], 'BranchesScreen'),
});

const branch = createRoute({
  getParentRoute: () => root,
  path: '/branches/$branchId',
  params: idParam('branchId'),
  component: lazyRouteComponent(screenFiles['/branches/$branchId'], 'BranchScreen'),
});

const trash = createRoute({
  getParentRoute: () => root,
  path: '/trash',
  component: lazyRouteComponent(screenFiles['/trash'], 'TrashScreen'),
});

const transfer = createRoute({
  getParentRoute: () => root,
  path: '/transfer',
  validateSearch: parseProgramsSearch,
  component: lazyRouteComponent(screenFiles['/transfer'], 'TransferScreen'),
});

const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  component: lazyRouteComponent(screenFiles['/access'], 'AccessScreen'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(screenFiles['/audit'], 'AuditScreen'),
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
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the search of the screen has the focus when it opens. */
    readonly beginsInSearch?: boolean;
  }

  interface Register {
    router: typeof router;
  }
}
