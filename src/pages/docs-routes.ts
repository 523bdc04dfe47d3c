import { Router } from 'express';
import { rejectOtherMethods } from '../http/read-only.ts';
import type { OpenApiDocument } from '../rest/openapi/types.ts';
import type { Assets } from './assets.ts';
import { pagePolicy } from './content-security-policy.ts';
import { docsPath, guideNames, guidePath, readGuides } from './docs/guides.ts';
import { lazy } from './lazy.ts';
import { htmlType, type Resource, resourceOf, servePage } from './resource.ts';

interface DocsOptions {
  readonly openApi: () => Promise<OpenApiDocument>;
  readonly version: string;
  readonly assets: () => Promise<Assets>;
}

/** Serves the API reference and the guides, each rendered on its first request. */
export function createDocsRouter({ openApi, version, assets }: DocsOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guides = lazy(readGuides);
  const serve = (path: string, render: () => Promise<string>): void => {
    const resource = lazy(async (): Promise<Resource> => resourceOf(htmlType, await render()));
    router.get(path, servePage(resource, pagePolicy));
    router.all(path, rejectOtherMethods);
  };
  serve(docsPath, async () => {
    const { docsPage } = await import('./docs/docs-page.ts');
    return docsPage({ document: await openApi(), guides: await guides(), assets: await assets() });
  });
  for (const name of guideNames) {
    serve(guidePath(name), async () => {
      const { guidePage } = await import('./docs/guide-page.ts');
      return guidePage({ path: guidePath(name), guides: await guides(), assets: await assets(), version });
    });
  }
  return router;
}
