import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { packageFolder } from '../installation.ts';
import { type Resource, resourceOf } from './resource.ts';

const folder = new URL('public/', packageFolder);

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The base path of static assets. */
export const assetsPath = '/assets';

/** Static assets, by name. */
export interface Assets {
  readonly named: ReadonlyMap<string, Resource>;
  /** The URL of an asset, with a fingerprint of its content. */
  urlOf(name: string): string;
}

/** Reads all assets into memory: they are few and small. */
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

/** Collects resources as the assets below a path. */
export function collect(path: string, resources: readonly (readonly [name: string, resource: Resource])[]): Assets {
  const named = new Map(resources);
  return {
    named,
    urlOf: (name) => {
      const resource = named.get(name);
      if (resource === undefined) throw new Error(`There is no asset ${name}.`);
      return `${path}/${name}?v=${resource.fingerprint}`;
    },
  };
}
