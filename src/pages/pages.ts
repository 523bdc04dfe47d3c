import { type Request, type RequestHandler, Router } from 'express';
import { wantsPage } from '../graphql/server/accept-header.ts';
import { graphqlPath } from '../graphql/server/yoga.ts';
import { rejectOtherMethods } from '../http/read-only.ts';
import { sendJson, sendPathNotFound } from '../http/send.ts';
import type { Readiness } from '../observability/health.ts';
import type { OpenApiDocument } from '../rest/openapi/types.ts';
import { type Assets, assetsPath, readAssets } from './assets.ts';
import { createConsoleRouter } from './console.ts';
import { graphiqlPolicy, pagePolicy } from './content-security-policy.ts';
import { createDocsRouter } from './docs-routes.ts';
import { frontPage } from './front-page.ts';
import { type Graphiql, graphiqlAssetsPath, prepareGraphiql } from './graphiql/graphiql.ts';
import { lazy } from './lazy.ts';
import { notFoundPage } from './not-found-page.ts';
import { createOpenApiRouter } from './openapi-route.ts';
import { htmlType, immutable, type Resource, resourceOf, revalidate, sendResource, servePage } from './resource.ts';

interface PagesOptions {
  readonly readiness: Readiness;
  readonly version: string;
  readonly openApi: () => Promise<OpenApiDocument>;
  /** The path of the metrics; `null` when they are served on another port. */
  readonly metricsPath: string | null;
}

interface Pages {
  /** The routes that need no key: pages, the OpenAPI document, and health checks. */
  readonly router: Router;
  /** Responds to a request that no route has matched: a page for a browser, JSON for others. */
  readonly notFound: RequestHandler;
}

/** Creates the pages. */
export function createPages({ readiness, version, openApi, metricsPath }: PagesOptions): Pages {
  const router = Router({ caseSensitive: true, strict: true });
  // Rendered on first request: most instances never get one.
  const assets = lazy(readAssets);
  const graphiql = lazy(async (): Promise<Graphiql & { readonly resource: Resource }> => {
    const prepared = await prepareGraphiql(await assets(), version);
    return { ...prepared, resource: await resourceOf(htmlType, prepared.page) };
  });
  const missing = lazy(async () => notFoundPage(await assets(), version));
  const front = lazy(async () => resourceOf(htmlType, frontPage({ assets: await assets(), version, metricsPath })));

  router.get('/', servePage(front, pagePolicy));
  router.use(createDocsRouter({ openApi, version, assets }));
  router.use(createOpenApiRouter(openApi));
  // All methods: with `get` alone, Express would respond to OPTIONS itself, before GraphQL can reject it.
  router.all(graphqlPath, (request, response, next) => {
    if (!isRead(request) || !wantsPage(request.headers.accept)) return next();
    response.vary('Accept');
    return servePage(async () => (await graphiql()).resource, graphiqlPolicy)(request, response, next);
  });
  router.get(
    '/favicon.ico',
    file(assets, () => 'favicon.ico'),
  );
  router.get(`${assetsPath}/:name`, file(assets, nameIn));
  router.get(
    `${graphiqlAssetsPath}/:name`,
    file(async () => (await graphiql()).assets, nameIn),
  );
  router.use(createConsoleRouter());
  router.get(['/livez', '/readyz'], (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.get('/livez', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const problem = await readiness.problem();
    if (problem === null) sendJson(response, 200, { status: 'ok' });
    else {
      response.setHeader('Retry-After', '2');
      sendJson(response, 503, { message: problem });
    }
  });
  const files = ['/favicon.ico', `${assetsPath}/:name`, `${graphiqlAssetsPath}/:name`];
  router.all(['/', ...files, '/livez', '/readyz'], rejectOtherMethods);
  const notFound: RequestHandler = async (request, response) => {
    response.vary('Accept');
    if (!isRead(request) || !wantsPage(request.headers.accept)) {
      sendPathNotFound(response);
      return;
    }
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Cache-Control', 'no-store');
    response
      .status(404)
      .type(htmlType)
      .end(await missing());
  };
  return { router, notFound };
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const nameIn = (request: Request): string => String(request.params['name']);

/** Serves an asset; a URL with its fingerprint may be cached for ever. */
function file(assets: () => Promise<Assets>, nameOf: (request: Request) => string): RequestHandler {
  return async (request, response, next) => {
    const resource = (await assets()).named.get(nameOf(request));
    if (resource === undefined) return next();
    const hasFingerprint = request.query['v'] === resource.fingerprint;
    return sendResource(request, response, resource, hasFingerprint ? immutable : revalidate);
  };
}
