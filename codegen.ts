// Writes the typed documents of the console and the examples. From the committed schema: nothing of ours has to be built first.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as documents from '@graphql-codegen/typed-document-node';
import * as types from '@graphql-codegen/typescript-operations';
import { type DocumentNode, type FragmentDefinitionNode, parse, print, stripIgnoredCharacters, visit } from 'graphql';

type Plugin = Parameters<typeof codegen>[0]['pluginMap'][string];

const config = { useTypeImports: true, enumType: 'string-literal', scalars: { DateTime: 'string', JSON: 'unknown' } };
const schema = parse(readFileSync('schema.graphql', 'utf8'));

const readDocument = (location: string) => ({ location, document: parse(readFileSync(location, 'utf8')) });

/** Fragments of several folders of the console. */
const shared = readDocument('console/src/fragments.graphql');
const sharedNames = shared.document.definitions.flatMap((one) =>
  one.kind === 'FragmentDefinition' ? [one.name.value] : [],
);

/** Writes a file with the types of all documents of a folder. */
async function generate(
  folder: string,
  filename: string,
  options: { readonly documentMode?: 'string' },
  plugin: Plugin = documents,
): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  if (files.length === 0) return;
  const own = files.map((file) => readDocument(path.join(folder, file)));
  const usesShared = own.some(({ document }) => sharedNames.some((name) => print(document).includes(`...${name}`)));
  const text = await codegen({
    filename,
    schema,
    documents: usesShared ? [...own, shared] : own,
    pluginMap: { types, documents: plugin },
    plugins: [{ types: {} }, { documents: {} }],
    config: { ...config, ...options },
  });
  mkdirSync(path.dirname(filename), { recursive: true });
  writeFileSync(filename, text);
}

// As strings: these clients need no GraphQL library.
for (const folder of ['examples/copy', 'examples/dashboard', 'examples/oeapi'])
  await generate(folder, `${folder}/generated/operations.ts`, { documentMode: 'string' });

/** The name of each operation, and its text with the fragments that it uses, as `urql` takes them. */
function textsOf(documents: readonly DocumentNode[]): string {
  const definitions = documents.flatMap((document) => document.definitions);
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [])),
  );
  const usedBy = (node: DocumentNode['definitions'][number], used = new Set<FragmentDefinitionNode>()) => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment !== undefined && !used.has(fragment)) usedBy(fragment, used.add(fragment));
      },
    });
    return used;
  };
  return definitions
    .flatMap((one) => {
      if (one.kind !== 'OperationDefinition' || one.name === undefined) return [];
      const text = stripIgnoredCharacters([one, ...usedBy(one)].map(print).join(' '));
      const name = one.name.value;
      const type = name + one.operation.charAt(0).toUpperCase() + one.operation.slice(1);
      return `export const ${name}Document = ${JSON.stringify(text)} as unknown as DocumentNode<${type}, ${type}Variables>;`;
    })
    .join('\n');
}

/** Documents as texts: as syntax trees they are ten times as long. */
const consoleDocuments: Plugin = {
  plugin: (_schema, files) => ({
    prepend: ["import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';"],
    content: textsOf(files.flatMap(({ document }) => document ?? [])),
  }),
};

/** Each folder of the console has its own types, so that a screen loads nothing of another. */
const consoleFolders = readdirSync('console/src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of consoleFolders)
  await generate(`console/src/${name}`, `console/src/${name}/documents.generated.ts`, {}, consoleDocuments);
