import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFile } from './files.ts';

/** Style sheets, scripts and icons, as they are written. */
export const publicFolder = path.join(import.meta.dirname, 'public');

const addresses = new Map<string, string>();

/** The address of a file of `site/public`. It is written on first use, so that each page names what it needs alone. */
export function assetUrl(name: string): string {
  const address = addresses.get(name) ?? writeAsset(name, withImports(readFileSync(path.join(publicFolder, name))));
  addresses.set(name, address);
  return address;
}

/** Writes an asset under a name with a hash of its content, so that it may be cached for ever. */
export function writeAsset(name: string, content: string | Buffer): string {
  const { name: stem, ext } = path.parse(name);
  const file = `assets/${stem}-${hash('sha256', content, 'hex').slice(0, 12)}${ext}`;
  writeFile(file, content);
  return `/${file}`;
}

/** Scripts import each other by the names of `site/public`. */
function withImports(content: Buffer): string {
  return content
    .toString()
    .replace(/(?<=(?:import|from) ')\.\/([\w-]+\.js)(?=';)/g, (_all, name: string) => assetUrl(name));
}
