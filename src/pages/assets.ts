import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Resource, resourceOf } from './resource.ts';

/** Where the files are; the same from `src/pages` and from `dist/pages`. */
const folder = new URL('../../public/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The path below which the files of the pages are. */
export const assetsPath = '/assets';

/** Files that pages need, by name. */
export interface Assets {
  readonly named: ReadonlyMap<string, Resource>;
  /** The address of one, which changes when the file does. */
  addressOf(name: string): string;
}

/** Reads the files of the pages: they are few and small. */
export async function readAssets(): Promise<Assets> {
  const names = readdirSync(folder).filter((name) => extname(name) in mediaTypes);
  return collect(
    assetsPath,
    await Promise.all(
      names.map(async (name): Promise<[string, Resource]> => {
        const mediaType = mediaTypes[extname(name)] ?? '';
        return [name, await resourceOf(mediaType, readFileSync(new URL(name, folder)))];
      }),
    ),
  );
}

/** Gives resources their addresses below a path. */
export function collect(path: string, resources: readonly (readonly [name: string, resource: Resource])[]): Assets {
  const named = new Map(resources);
  return {
    named,
    addressOf: (name) => {
      const resource = named.get(name);
      if (resource === undefined) throw new Error(`There is no file ${name} for the pages.`);
      return `${path}/${name}?v=${resource.fingerprint}`;
    },
  };
}
