import { graphqlPath, wantsPage } from '@service/graphql-server/request';
import { isRead, rejectOtherMethods, sendPathNotFound } from '@service/http/errors';
import { assetsFolder, type ChangeFile, openStaticFiles } from '@service/http/static-files';
import { type Request, type RequestHandler, Router } from 'express';
import { packageFolder } from '../installation.ts';

/**
 * Files that contain the path of the service. Links are relative, but pages shown at many addresses have a `<base>`,
 * and generated clients begin at the server of the OpenAPI document.
 */
const changesFor = (prefix: string): ChangeFile => {
  if (prefix === '') return () => undefined;
  return (name) => {
    if (name === 'openapi.json') return (document) => document.replace('"url": "/', `"url": "${prefix}/`);
    return name.endsWith('.html') ? (page) => page.replace('<base href="/', `<base href="${prefix}/`) : undefined;
  };
};

/** The licences of what the service contains, and the same list for programs (CycloneDX), by path. */
const licenseFiles = new Map([
  ['/licenses', 'THIRD-PARTY-LICENSES.txt'],
  ['/licenses/sbom.cdx.json', 'sbom.cdx.json'],
]);

/** The path of the console and, below it, of its screens. */
const consolePath = '/console';

interface Pages {
  /** The routes of pages and of the OpenAPI document, which need no key. */
  readonly router: Router;
  /** Responds to a request that no route has matched: a page for a browser, JSON for others. */
  readonly notFound: RequestHandler;
}

/** Serves the files that the builds of `site`, `console` and `licenses` have written. */
export function createPages(prefix: string): Pages {
  const changeFile = changesFor(prefix);
  const site = openStaticFiles(new URL('site/dist/', packageFolder), changeFile);
  /** Page names by path; the other two pages have no path. */
  const names = new Map(
    Array.from(site.names, (name) => [pathOf(name), name] as const).filter(([, name]) => !pathless.includes(name)),
  );
  const router = Router({ caseSensitive: true, strict: true });

  // Handles all methods: with `get` alone, Express would respond to OPTIONS before GraphQL can reject it.
  router.all(graphqlPath, (request, response, next) => {
    if (!isPageRequest(request)) return next();
    response.vary('Accept');
    response.setHeader('Content-Security-Policy', graphiqlPolicy);
    return site.send(request, response, graphiqlName);
  });
  router.use((request, response, next) => {
    const name = names.get(request.path);
    if (name === undefined) return next();
    request.pattern = name.startsWith(assetsFolder) ? assetsPattern : request.path;
    if (!isRead(request)) return rejectOtherMethods(request, response, next);
    if (name.endsWith('.html')) response.setHeader('Content-Security-Policy', pagePolicy);
    return site.send(request, response, name);
  });
  router.use(createConsoleRouter(changeFile));
  router.use(createLicensesRouter());

  const notFound: RequestHandler = (request, response) => {
    response.vary('Accept');
    if (!isPageRequest(request)) return sendPathNotFound(response);
    response.setHeader('Content-Security-Policy', basedPolicy);
    return site.sendAsNotFound(request, response, notFoundName);
  };
  return { router, notFound };
}

const graphiqlName = 'graphiql.html';
const notFoundName = 'not-found.html';
const pathless = [graphiqlName, notFoundName];

/** `/docs/rest` for `docs/rest.html`, `/` for `index.html`. */
const pathOf = (name: string): string => `/${name.replace(/(?:^index)?\.html$/, '')}`;

/** The label of all assets in metrics. */
const assetsPattern = `/${assetsFolder}:name`;

const isPageRequest = (request: Request): boolean => isRead(request) && wantsPage(request.headers.accept);

/** The console: its files, and for every other path below it its page, which shows the screen of that path. */
function createConsoleRouter(changeFile: ChangeFile): Router {
  const files = openStaticFiles(new URL('console/dist/', packageFolder), changeFile);
  const router = Router({ caseSensitive: true, strict: true });
  const paths = [consolePath, `${consolePath}/{*path}`];
  router.get(paths, (request, response, next) => {
    const name = request.path.slice(consolePath.length + 1);
    if (name.startsWith(assetsFolder)) {
      // The script of another version: the page in its place would not parse as a script.
      return files.names.has(name) ? files.send(request, response, name) : next();
    }
    response.setHeader('Content-Security-Policy', basedPolicy);
    return files.send(request, response, 'index.html');
  });
  router.all(paths, rejectOtherMethods);
  return router;
}

function createLicensesRouter(): Router {
  const files = openStaticFiles(new URL('licenses/dist/', packageFolder));
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, name] of licenseFiles) {
    router.get(path, (request, response) => files.send(request, response, name));
    router.all(path, rejectOtherMethods);
  }
  return router;
}

/** Same origin only; nothing inline, framed or submitted. */
const strict = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The policy of every page but those below. */
const pagePolicy = policyOf(strict);

/** The policy of pages that are shown at many addresses: their `<base>` says where their links begin. */
const basedPolicy = policyOf({ ...strict, 'base-uri': "'self'" });

/** The policy of GraphiQL, whose editor uses inline styles, embedded fonts and workers. */
const graphiqlPolicy = policyOf({
  ...strict,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'worker-src': "'self'",
});

function policyOf(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
