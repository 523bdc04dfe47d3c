import type { CodegenConfig } from '@graphql-codegen/cli';

// Typed documents for the operations that REST runs, from the committed schema: nothing of ours has to be built first.
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'src/rest/operations/*.graphql',
  generates: {
    'src/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { useTypeImports: true, enumType: 'string-literal', scalars: { DateTime: 'string' } },
    },
  },
};

export default config;
