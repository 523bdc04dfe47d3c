import { matchesIfNoneMatch, representationOf } from '@service/http/representation';
import type { Plugin } from 'graphql-yoga';

/** Adds an `ETag` to responses to GET, and responds 304 when `If-None-Match` matches, as REST does. */
export function useEtag(): Plugin {
  return {
    onResponse: async ({ request, response, setResponse, fetchAPI }) => {
      if (request.method !== 'GET' || response.status !== 200 || !isJson(response)) return;
      const content = representationOf(await response.text());
      const headers = { etag: content.entityTag };
      if (matchesIfNoneMatch(request.headers.get('if-none-match') ?? undefined, content)) {
        setResponse(new fetchAPI.Response(null, { status: 304, headers }));
      } else {
        const all = { ...Object.fromEntries(response.headers), ...headers };
        setResponse(new fetchAPI.Response(content.text, { status: 200, headers: all }));
      }
    },
  };
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') === true;
}
