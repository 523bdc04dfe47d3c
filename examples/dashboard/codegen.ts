import type { CodegenConfig } from '@graphql-codegen/cli';

// Documents as strings, which know the types of their variables and answers: a client needs no GraphQL library.
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
