import { expect, it } from 'vitest';
import { parseConfig, variables } from '../../src/config.ts';

const defaults: Readonly<Record<string, unknown>> = parseConfig({});

/** What is told of each variable, from the table that the parser itself is made of. */
const rows = Object.entries(variables).map(([name, schema]) => ({
  name,
  fallback: defaults[name] === undefined ? undefined : String(defaults[name]),
  meaning: schema.meta()?.description ?? '',
}));

it('tells every variable in docs/configuration.md', async () => {
  const lines = rows.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'unset'} | ${meaning} |`,
  );
  const page = [
    '# Configuration',
    '',
    'The service and its command line are configured by environment variables, and by `.env` beside `package.json`, of',
    'which `.env.example` is a template; what is set in the environment, be it to nothing, comes before the file. A blank',
    'variable counts as unset. Variables that cannot be understood stop the start, with one line each; one whose name is',
    'nearly one of these is warned of.',
    '',
    '| variable | default | meaning |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});

it('tells every variable in .env.example', async () => {
  const lines = rows.map(({ name, fallback, meaning }) => `# ${meaning}\n# ${name}=${fallback ?? ''}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('../../.env.example');
});

it('has a meaning for every variable', () => {
  expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
});
