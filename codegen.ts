// Writes the typed documents of the console and the examples. From the committed schema: nothing of ours has to be built first.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as documents from '@graphql-codegen/typed-document-node';
import * as types from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const config = { useTypeImports: true, enumType: 'string-literal', scalars: { DateTime: 'string', JSON: 'unknown' } };
const schema = parse(readFileSync('schema.graphql', 'utf8'));

/** Writes a file with the types of all documents of a folder. */
async function generate(
  folder: string,
  filename: string,
  options: { readonly documentMode?: 'string' },
): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  if (files.length === 0) return;
  const text = await codegen({
    filename,
    schema,
    documents: files.map((file) => {
      const location = path.join(folder, file);
      return { location, document: parse(readFileSync(location, 'utf8')) };
    }),
    pluginMap: { types, documents },
    plugins: [{ types: {} }, { documents: {} }],
    config: { ...config, ...options },
  });
  mkdirSync(path.dirname(filename), { recursive: true });
  writeFileSync(filename, text);
}

// As strings: these clients need no GraphQL library.
for (const folder of ['examples/copy', 'examples/dashboard', 'examples/oeapi'])
  await generate(folder, `${folder}/generated/operations.ts`, { documentMode: 'string' });

/** Each folder of the console has its own types, so that a screen loads nothing of another. */
const consoleFolders = readdirSync('console/src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of consoleFolders)
  await generate(`console/src/${name}`, `console/src/${name}/documents.generated.ts`, {});
