import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';

// A bundler and a plugin that do not fit together write scripts that no browser reads.
it('every script of the console is valid', () => {
  const folder = new URL('../../console/dist/assets/', import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));

  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts) expect(parseAst(readFileSync(new URL(name, folder), 'utf8')), name).toBeDefined();
});
