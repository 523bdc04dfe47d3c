import { type Request, type RequestHandler, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { rejectOtherMethods } from '../http/read-only.ts';
import type { OpenApiDocument } from '../rest/openapi/types.ts';
import { lazy } from './lazy.ts';
import { type Resource, resourceOf, revalidate, sendResource } from './resource.ts';

/** Documents cached; a service is usually reached under one or two hosts. */
const documentsMax = 10;
/** Stands for the origin of a request. */
const placeholder = 'http://origin.invalid';
const hostPattern = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Serves the OpenAPI document as JSON and as YAML. Its server is the host that the request was sent to, so that clients
 * generated from it need no other configuration.
 */
export function createOpenApiRouter(openApi: () => Promise<OpenApiDocument>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const resources = new LRUCache<string, Promise<Resource>>({ max: documentsMax });

  const serve = (mediaType: string, write: (document: OpenApiDocument) => string | Promise<string>): RequestHandler => {
    // Written once: callers choose the host, and writing YAML takes many milliseconds.
    const template = lazy(async () => write(servedFrom(placeholder, await openApi())));
    return async (request, response) => {
      const origin = originOf(request);
      const key = `${mediaType} ${origin}`;
      const resource =
        resources.get(key) ??
        template().then((text) =>
          resourceOf(
            mediaType,
            text.replaceAll(placeholder, () => origin),
          ),
        );
      resources.set(key, resource);
      sendResource(request, response, await resource, revalidate);
    };
  };

  router.get(
    '/openapi.json',
    serve('application/json', (served) => `${JSON.stringify(served, null, 2)}\n`),
  );
  router.get(
    '/openapi.yaml',
    serve('application/yaml', async (served) => {
      const { stringify } = await import('yaml');
      return stringify(served, { aliasDuplicateObjects: false, lineWidth: 0 });
    }),
  );
  router.all(['/openapi.json', '/openapi.yaml'], rejectOtherMethods);
  return router;
}

/** `http://HOST:PORT` as the client sees it, behind trusted proxies too; empty when `Host` is not usable. */
function originOf({ protocol, host }: Request): string {
  return host !== undefined && hostPattern.test(host) ? `${protocol}://${host}` : '';
}

function servedFrom(origin: string, document: OpenApiDocument): OpenApiDocument {
  return { ...document, servers: document.servers.map((server) => ({ ...server, url: `${origin}${server.url}` })) };
}
