import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { printedSchema } from '../../src/doors/graphql/schema.ts';

/** `id` is the integer of REST, so that the identifier of Relay's `Node` has another name. */
const accepted = ['@graphql-eslint/no-typename-prefix: Field "nodeId" starts with the name of the parent type "Node"'];

/** The problems of a schema by the rules of `eslint.config.js`, but for the accepted ones. */
async function problemsOf(text: string): Promise<string[]> {
  const results = await new ESLint().lintText(text, { filePath: 'schema.graphql' });
  const problems = results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
  return problems.filter((problem) => !accepted.includes(problem));
}

describe('the style of the schema', { timeout: 60_000 }, () => {
  it('follows the recommended rules of graphql-eslint and those for Relay', async () => {
    expect(await problemsOf(printedSchema())).toEqual([]);
  });

  it.each([
    ['naming-convention', '"""An enum."""\nenum Mood {\n  """Good."""\n  cheerful\n}'],
    ['require-description', 'type Mood {\n  """Its level."""\n  level: Int!\n}'],
    ['relay-connection-types', '"""A connection."""\ntype MoodConnection {\n  """Moods."""\n  items: [Int!]!\n}'],
  ])('would break the rule %s with %j', async (rule, addition) => {
    expect(await problemsOf(`${printedSchema()}\n${addition}\n`)).toContainEqual(
      expect.stringContaining(`@graphql-eslint/${rule}: `),
    );
  });
});
