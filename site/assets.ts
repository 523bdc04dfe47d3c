import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile } from './files.ts';

/** Style sheets, scripts and icons, as they are written. */
export const publicFolder = path.join(import.meta.dirname, 'public');

const addresses = new Map<string, string>();

/** The address of a file of `site/public`. It is written on first use, so that each page names what it needs alone. */
export function assetUrl(name: string): string {
  const address = addresses.get(name) ?? writeAsset(name, withImports(name));
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

/** The address of the style sheet of the typeface, whose files browsers load as far as a page has letters of them. */
export function typefaceUrl(): string {
  const sheet = fileURLToPath(import.meta.resolve('@fontsource-variable/figtree/wght.css'));
  const faces = readFileSync(sheet, 'utf8').replace(/\.\/files\/([\w-]+\.woff2)/g, (file, name) =>
    writeAsset(name, readFileSync(path.join(path.dirname(sheet), file))),
  );
  return writeAsset('typeface.css', faces);
}

/** The content of a file of `site/public`: where it imports another, by the address of that one. */
function withImports(name: string): string {
  return readFileSync(path.join(publicFolder, name), 'utf8').replace(
    /(?<=(?:import|from) ')\.{1,2}\/[\w/-]+\.js(?=';)/g,
    (imported) => assetUrl(path.posix.join(path.dirname(name), imported)),
  );
}
