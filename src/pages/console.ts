import { readdir, readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { Router } from 'express';
import { rejectOtherMethods } from '../http/read-only.ts';
import { packageFolder } from '../installation.ts';
import { pagePolicy } from './content-security-policy.ts';
import { lazy } from './lazy.ts';
import { compressedResource, immutable, type Resource, revalidate, sendResource } from './resource.ts';

/** The built files. */
const folder = new URL('console/dist/', packageFolder);

/** The path of the console; its screens have addresses below it. */
const consolePath = '/console';

const mediaTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface ConsoleFiles {
  /** The page, which shows the screen of any path. */
  readonly page: Resource;
  /** By path below the console; their names contain a hash of their content. */
  readonly assets: ReadonlyMap<string, Resource>;
}

/** Reads the files, with the compressed forms that the build has put beside them. */
async function readConsole(): Promise<ConsoleFiles> {
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => extname(name) in mediaTypes)
    .map((name) => name.replaceAll(sep, '/'));
  const read = (name: string): Promise<Buffer> => readFile(new URL(name, folder));
  const files = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Resource]> => {
        const [plain, gzipped, brotli] = await Promise.all([name, `${name}.gz`, `${name}.br`].map(read));
        if (plain === undefined || gzipped === undefined) throw new Error(`${name} of the console is not compressed.`);
        return [name, compressedResource(mediaTypes[extname(name)] ?? '', { plain, gzipped, brotli })];
      }),
    ),
  );
  const page = files.get('index.html');
  if (page === undefined) throw new Error('The console has no page.');
  return { page, assets: new Map([...files].filter(([name]) => name.startsWith('assets/'))) };
}

/** The console: its files, and for every other path below it its page, which shows the screen of that path. */
export function createConsoleRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const files = lazy(readConsole);
  const paths = [consolePath, `${consolePath}/{*path}`];
  router.get(paths, async (request, response, next) => {
    const { page, assets } = await files();
    const name = request.path.slice(consolePath.length + 1);
    const asset = assets.get(name);
    if (asset !== undefined) return sendResource(request, response, asset, immutable);
    // A file of another version: as a page it would be a script that does not parse.
    if (name.startsWith('assets/')) return next();
    response.setHeader('Content-Security-Policy', pagePolicy);
    return sendResource(request, response, page, revalidate);
  });
  router.all(paths, rejectOtherMethods);
  return router;
}
