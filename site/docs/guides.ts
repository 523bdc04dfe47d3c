import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'docs');

/** The path of the API reference; guides are below it. */
export const docsPath = '/docs';
/** The reference of GraphQL. */
export const schemaPath = `${docsPath}/schema`;
export const dataModelPath = `${docsPath}/data-model`;

/** The files in `docs` for users of the API; the others are for operators and developers. */
export const guideNames = ['start', 'rest', 'graphql', 'authentication', 'recipes', 'errors', 'contract'] as const;

export type GuideName = (typeof guideNames)[number];

/** A guide, in Markdown. */
export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export function guidePath(name: GuideName): string {
  return `${docsPath}/${name}`;
}

export function readGuides(): Guide[] {
  return guideNames.map((name) => {
    const text = readFileSync(join(folder, `${name}.md`), 'utf8');
    return { path: guidePath(name), title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
  });
}

/** Links between guides lead to their pages; links to other files of the repository lead nowhere. */
export function guideLink(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const match = /^(?:(\w+)\.md)?(#.*)?$/.exec(href);
  if (match === null) return undefined;
  const [, file, hash = ''] = match;
  if (file === undefined) return hash;
  const name = guideNames.find((guide) => guide === file);
  return name && `${guidePath(name)}${hash}`;
}
