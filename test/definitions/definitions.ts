import type { TestServer } from '../support/server.ts';

const definition =
  'id key ofPrograms ofBranches label help kind required position version choices { value label retired replacedBy }';

/** Definitions of a server, through its API; responses as they are. */
export function definitionsOf(server: Pick<TestServer, 'graphql'>, key?: string) {
  const send = async (document: string, variables: object = {}) =>
    (await server.graphql(document, variables, ...(key === undefined ? [] : [key]))).body;
  return {
    save: (input: object) =>
      send(
        `mutation ($input: AttributeDefinitionInput!) { saveAttributeDefinition(input: $input) { ${definition} } }`,
        { input },
      ),
    remove: (name: string) =>
      send(`mutation ($key: String!) { deleteAttributeDefinition(key: $key) { key } }`, { key: name }),
    list: async () => (await send(`{ attributeDefinitions { ${definition} } }`)).data.attributeDefinitions,
    /** Saves definitions that must be valid. */
    define: async (...inputs: readonly object[]): Promise<void> => {
      for (const input of inputs) {
        const { errors } = await definitionsOf(server, key).save(input);
        if (errors !== undefined) throw new Error(JSON.stringify(errors));
      }
    },
  };
}

/** Choices of these values. */
export const choices = (...values: readonly string[]) => values.map((value) => ({ value }));

/** Attributes as inputs have them. */
export const attributes = (values: Readonly<Record<string, string | null>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** The rules that a response names, by field. */
export const rulesOf = (body: {
  readonly errors?: readonly {
    readonly extensions: { readonly problems?: readonly { field: string; rule: string }[] };
  }[];
}): string[] =>
  (body.errors ?? [])
    .flatMap(({ extensions }) => extensions.problems ?? [])
    .map(({ field, rule }) => `${field} ${rule}`);
