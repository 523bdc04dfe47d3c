const basePath = '/console';

/** The files of each screen, by the path of its route: loaded when it is opened, or with the page that opens on it. */
export const screenFiles = {
  '/': () => import('./overview/overview-screen.tsx'),
  '/programs': () => import('./programs/programs-screen.tsx'),
  '/programs/new': () => import('./program/new-program-screen.tsx'),
  '/programs/$programId': () => import('./program/program-screen.tsx'),
  '/branches': () => import('./branches/branches-screen.tsx'),
  '/branches/$branchId': () => import('./branch/branch-screen.tsx'),
  '/trash': () => import('./trash/trash-screen.tsx'),
  '/transfer': () => import('./transfer/transfer-screen.tsx'),
  '/access': () => import('./access/access-screen.tsx'),
  '/audit': () => import('./audit/audit-screen.tsx'),
};

/** The path of an address below the console, without a slash at its end. */
export const pathOf = (pathname: string): string => pathname.slice(basePath.length).replace(/\/$/, '') || '/';

/** Loads the screen of an address before the router asks for it; one that fails, the router reports. */
export async function loadScreen(pathname: string): Promise<void> {
  const path = pathOf(pathname);
  const load = Object.entries(screenFiles).find(([route]) => isAt(route, path))?.[1];
  await load?.().catch(() => undefined);
}

/** Whether a path is at a route; `$` begins a parameter. */
function isAt(route: string, path: string): boolean {
  const names = route.split('/');
  const given = path.split('/');
  return names.length === given.length && names.every((name, at) => name === given[at] || name.startsWith('$'));
}
