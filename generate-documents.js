// Types of the GraphQL documents, from the committed schema: graphql-codegen's plugins without its command line, which
// takes five times as long and brings eighty packages, to read schemas from elsewhere.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

const sdl = readFileSync('schema.graphql', 'utf8');
const types = {
  useTypeImports: true,
  enumType: 'string-literal',
  scalars: { DateTime: 'string', JSON: 'unknown' },
};

/**
 * The documents in a folder, in the order of their names.
 *
 * @param {string} folder
 */
function documentsIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => {
    const location = path.join(folder, name);
    return { location, document: parse(readFileSync(location, 'utf8')) };
  });
}

/**
 * Writes a module with the documents of a folder, and the types of their variables and results.
 *
 * @param {string} folder
 * @param {string} filename
 * @param {object} [config]
 */
async function generate(folder, filename, config) {
  const documents = documentsIn(folder);
  if (documents.length === 0) return;
  const content = await codegen({
    filename,
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents,
    plugins: [{ 'typescript-operations': {} }, { 'typed-document-node': {} }],
    pluginMap: { 'typescript-operations': typescriptOperations, 'typed-document-node': typedDocumentNode },
    config: { ...types, ...config },
  });
  mkdirSync(path.dirname(filename), { recursive: true });
  writeFileSync(filename, content);
}

await generate('src/rest/operations', 'src/generated/operations.ts');
// As strings: this client needs no GraphQL library.
await generate('examples/dashboard', 'examples/dashboard/generated/operations.ts', { documentMode: 'string' });
// Each folder of the console has its own, so that a screen loads nothing of another.
for (const entry of readdirSync('console/src', { withFileTypes: true })) {
  const folder = path.join('console/src', entry.name);
  if (entry.isDirectory()) await generate(folder, path.join(folder, 'documents.generated.ts'));
}
