import graphqlPlugin from '@graphql-eslint/eslint-plugin';

const { 'flat/schema-recommended': recommended, 'flat/schema-relay': relay } = graphqlPlugin.configs;

// The style of schema.graphql: graphql-eslint's recommended rules and those for Relay. Biome lints everything else.
export default [
  {
    files: ['schema.graphql'],
    languageOptions: { parser: graphqlPlugin.parser, parserOptions: { graphQLConfig: { schema: 'schema.graphql' } } },
    plugins: { '@graphql-eslint': graphqlPlugin },
    rules: {
      ...recommended.rules,
      ...relay.rules,
      // An `id` is an integer, as in REST; `nodeId` is the global one. Counts and other values have none.
      '@graphql-eslint/strict-id-in-types': 'off',
      // Connections have `nodes` beside `edges`, and what REST returns as a list is one here.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
      ],
    },
  },
];
