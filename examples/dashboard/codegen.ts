import type { CodegenConfig } from '@graphql-codegen/cli';

// Documents as strings with the types of variables and results: the client needs no GraphQL library.
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'examples/dashboard/*.graphql',
  generates: {
    'examples/dashboard/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumType: 'string-literal',
        scalars: { DateTime: 'string' },
      },
    },
  },
};

export default config;
