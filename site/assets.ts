import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { to } from './address.ts';
import { writeFile } from './files.ts';

/** Style sheets, scripts and icons, as they are written. */
export const publicFolder = path.join(import.meta.dirname, 'public');

const paths = new Map<string, string>();

/** The address of a file of `site/public`. It is written on first use, so that each page names what it needs alone. */
export function assetUrl(name: string): string {
  return to(pathOfAsset(name));
}

/** The address of an asset that a page has written. */
export function newAssetUrl(name: string, content: string | Buffer): string {
  return to(writeAsset(name, content));
}

function pathOfAsset(name: string): string {
  const written = paths.get(name) ?? writeAsset(name, withImports(name));
  paths.set(name, written);
  return written;
}

/** Writes an asset under a name with a hash of its content, so that it may be cached for ever. Returns its path. */
function writeAsset(name: string, content: string | Buffer): string {
  const { name: stem, ext } = path.parse(name);
  const file = `assets/${stem}-${hash('sha256', content, 'hex').slice(0, 12)}${ext}`;
  writeFile(file, content);
  return `/${file}`;
}

/** The address of the style sheet of the typeface, whose files browsers load as far as a page has letters of them. */
export function typefaceUrl(): string {
  const sheet = fileURLToPath(import.meta.resolve('@fontsource-variable/figtree/wght.css'));
  const faces = readFileSync(sheet, 'utf8').replace(/\.\/files\/([\w-]+\.woff2)/g, (file, name) =>
    beside(writeAsset(name, readFileSync(path.join(path.dirname(sheet), file)))),
  );
  return newAssetUrl('typeface.css', faces);
}

/** The content of a file of `site/public`: where it imports another, by the address of that one. */
function withImports(name: string): string {
  return readFileSync(path.join(publicFolder, name), 'utf8').replace(
    /(?<=(?:import|from) ')\.{1,2}\/[\w/-]+\.js(?=';)/g,
    (imported) => beside(pathOfAsset(path.posix.join(path.dirname(name), imported))),
  );
}

/** The address of an asset in another. */
const beside = (asset: string): string => `./${path.posix.basename(asset)}`;
