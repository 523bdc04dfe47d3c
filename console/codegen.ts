import { readdirSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const source = new URL('./src/', import.meta.url);

/** The folders with documents: each gets the types of its own, so that a screen loads nothing of another. */
const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => readdirSync(new URL(name, source)).some((file) => file.endsWith('.graphql')));

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: Object.fromEntries(
    folders.map((folder) => [
      `console/src/${folder}/documents.generated.ts`,
      {
        documents: `console/src/${folder}/*.graphql`,
        plugins: ['typescript-operations', 'typed-document-node'],
        config: { useTypeImports: true, enumType: 'string-literal', scalars: { DateTime: 'string', JSON: 'unknown' } },
      },
    ]),
  ),
};

export default config;
