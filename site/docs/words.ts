import { readFileSync } from 'node:fs';
import path from 'node:path';
import { docsPath, schemaPath } from './guides.ts';
import { otherTypes, rootTypes } from './schema.ts';

const errors = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8');

const addresses = new Map([
  ...otherTypes.map(({ name }): [string, string] => [name, `${schemaPath}#${name}`]),
  // Names of one word, such as `users`, mean other things, too.
  ...rootTypes.flatMap((root) =>
    Object.keys(root.getFields())
      .filter((name) => /[A-Z]/.test(name))
      .map((name): [string, string] => [name, `${schemaPath}#${root.name}.${name}`]),
  ),
  ...Array.from(errors.matchAll(/^## ([A-Z_]+)$/gm), ([, code = '']): [string, string] => [
    code,
    `${docsPath}/errors#${code.toLowerCase()}`,
  ]),
]);

/** Where a word of the API is explained: a code of errors, a type of GraphQL, a query or a mutation. */
export function explanationOf(word: string): string | undefined {
  return addresses.get(word);
}
