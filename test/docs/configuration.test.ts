import { expect, it } from 'vitest';
import { parseConfig, secretVariables, variables } from '../../src/config.ts';

const defaults: Readonly<Record<string, unknown>> = parseConfig({});

/** The documentation of each variable, from the table that the parser is built from. */
const rows = Object.entries(variables).map(([name, schema]) => ({
  name,
  fallback: defaults[name] === undefined ? undefined : String(defaults[name]),
  meaning: schema.meta()?.description ?? '',
}));

it('describes every variable in docs/configuration.md', async () => {
  const lines = rows.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'unset'} | ${meaning} |`,
  );
  const page = [
    '# Configuration',
    '',
    'Environment variables, and a file of them (`ENV_FILE`; `.env.example` is a template), configure the service and its command',
    'line. A variable that is set in the environment, even to nothing, takes precedence over the file. A blank value counts as',
    'unset. Invalid values [stop the start](contract.md#9-process-and-configuration). A name of eight characters or more that is',
    'nearly one of these is logged as a probable misspelling. Numbers have bounds, which the error names.',
    '',
    'A secret may be in a file, named by the variable with `_FILE` at its end. One line break at its end is ignored. These',
    `have one: ${secretVariables.map((name) => `\`${name}\``).join(', ')}.`,
    '',
    '| variable | default | meaning |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});

it('describes every variable in .env.example', async () => {
  const lines = rows.map(({ name, fallback, meaning }) => `# ${meaning}\n# ${name}=${fallback ?? ''}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('../../.env.example');
});

it('has a description for every variable', () => {
  expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
});
