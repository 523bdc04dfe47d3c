import { readdirSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const plugins = ['typescript-operations', 'typed-document-node'];
const types = { useTypeImports: true, enumType: 'string-literal', scalars: { DateTime: 'string', JSON: 'unknown' } };

/** Each folder of the console has its own types, so that a screen loads nothing of another. */
const consoleFolders = readdirSync('console/src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `console/src/${name}`)
  .filter((folder) => readdirSync(folder).some((file) => file.endsWith('.graphql')));

// Typed documents, from the committed schema: nothing of ours has to be built first.
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    ...Object.fromEntries(
      // As strings: these clients need no GraphQL library.
      ['examples/copy', 'examples/dashboard', 'examples/oeapi'].map((folder) => [
        `${folder}/generated/operations.ts`,
        { documents: `${folder}/*.graphql`, plugins, config: { ...types, documentMode: 'string' } },
      ]),
    ),
    ...Object.fromEntries(
      consoleFolders.map((folder) => [
        `${folder}/documents.generated.ts`,
        { documents: `${folder}/*.graphql`, plugins, config: types },
      ]),
    ),
  },
};

export default config;
