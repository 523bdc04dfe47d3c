import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { codeFor, expectToFollow, follows, outputOf, type Recipe, recipes } from '../support/recipes.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The examples below a heading; each must be there. */
function recipeOf(title: string, language: string): Recipe {
  const recipe = recipes.find((candidate) => candidate.title === title && candidate.language === language);
  if (recipe === undefined) throw new Error(`There is no recipe for ${title} in ${language}.`);
  return recipe;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recipes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the recipes for curl and Python', () => {
  it('that end print what they have read and created', async () => {
    const folder = await emptyFolder();
    const print = (title: string, language: string) =>
      outputOf(server, recipeOf(title, language), { key: adminKey, folder });

    expect(await print('curl', 'sh')).toBe(
      '{"id":1,"name":"Optics","duration":"1 Year"}{"items":[{"id":1,"name":"Optics","duration":"1 Year"}],' +
        '"pageNumber":1,"pageSize":1,"totalPages":1,"count":1,"hasPreviousPage":false,"hasNextPage":false}',
    );
    expect(await print('Python', 'python')).toBe('Acoustics\n');
    expect(await print('Python with httpx', 'python')).toBe('Statistics\nOptics\nAcoustics\nStatistics\n304\n');
  });

  it.each(recipes.filter((recipe) => recipe.language === 'python' && follows(recipe)))(
    'catch up on changes after a lost connection: $title',
    async (recipe) => {
      await expectToFollow(server, recipe, { folder: await emptyFolder() });
    },
  );
});

describe('the recipes that install packages', { timeout: 300_000 }, () => {
  it.each([
    ['Relay', ['Aerodynamics', 'Wings', '']],
    ['hey-api', ['Hydraulics', '1', '']],
  ])('compile and print what they have read and created: %s', async (title, printed) => {
    const make = factoriesFor(server);
    const { id } = await make.program({ name: 'Aerodynamics' });
    await make.branch(id, { name: 'Wings' });
    const folder = await emptyFolder();
    const schema = recipeOf('The schema', 'js');
    await writeFile(
      path.join(folder, 'schema.graphql'),
      await outputOf(server, schema, { key: adminKey, folder: 'examples/recipes' }),
    );
    for (const { title: heading, file, code } of recipes) {
      if (heading === title && file !== undefined) await writeFile(path.join(folder, file), codeFor(server, code));
    }
    const output = await outputOf(server, recipeOf(title, 'sh'), { key: adminKey, folder });

    expect(output.split('\n').slice(-3), output).toEqual(printed);
  });
});
