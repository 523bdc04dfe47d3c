import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectToFollow,
  followerOf,
  follows,
  installationOf,
  isProgram,
  outputOf,
  recipes,
} from '../../docs/recipes.ts';
import { csv, importFile } from '../../import-export/import/import-file.ts';
import { openFaultyProxy } from '../../support/faulty-proxy.ts';
import { adminKey, serverForTest, useServer } from '../../support/server.ts';

/** Those that need Node.js alone; the others are in recipes.test.ts. */
const inNode = recipes.filter(
  (recipe) => recipe.language === 'js' && isProgram(recipe) && installationOf(recipe) === undefined,
);

const server = useServer();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recipes-'));
  for (const name of ['Optics', 'Acoustics']) await server.make.program({ name });
});

afterAll(() => rm(folder, { recursive: true }));

describe('the recipes in JavaScript', () => {
  it('that end print what they have read and created', async () => {
    const ending = inNode.filter((recipe) => !follows(recipe));
    const printed: Record<string, string[]> = {};
    const print = async (title: string) => {
      const outputs: string[] = [];
      for (const recipe of ending.filter((candidate) => candidate.title === title)) {
        outputs.push(await outputOf(server, recipe, { key: adminKey, folder }));
      }
      printed[title] = outputs;
    };
    const [rest = '', ...others] = new Set(ending.map(({ title }) => title));
    // Lists all programs twice, with nobody else who creates some meanwhile.
    await print(rest);
    await Promise.all(others.map(print));

    expect(printed).toEqual({
      'REST with fetch: pages, retries, caching': ['Optics\nAcoustics\n', 'Mechanics\n', '200 304\n'],
      'Upsert by code': ['{ created: 1, changed: 0, unchanged: 0 }\n{ created: 0, changed: 1, unchanged: 0 }\n'],
    });
  });

  it('that follow changes catch up after a lost connection', async () => {
    const followers = inNode.filter(follows).map((recipe) => followerOf(recipe, folder));
    expect(followers.length).toBe(1);

    await expectToFollow(server, followers);
  });
});

describe('the recipes that retry', () => {
  it('finish through cut connections, rate limits and foreign responses, with more records than a page has', async () => {
    const own = await serverForTest();
    expect(
      (await importFile(own, csv(...Array.from({ length: 230 }, (_, at) => `,Program ${at},1 Year,,,,,`)))).status,
    ).toBe(200);
    const through = { ...own, url: await openFaultyProxy(own.url) };
    const of = (title: string) =>
      recipes.filter((recipe) => recipe.title === title && recipe.language === 'js' && isProgram(recipe));
    const [pages, create] = of('REST with fetch: pages, retries, caching');
    if (pages === undefined || create === undefined) throw new Error('A recipe is missing.');
    const place = { key: adminKey, folder };
    expect((await outputOf(through, pages, place)).trim().split('\n')).toHaveLength(230);
    expect(await outputOf(through, create, place)).toBe('Mechanics\n');
    const { body } = await own.graphql('{ programs { count } }');
    expect(body).toEqual({ data: { programs: { count: 230 + 1 } } });
  }, 300_000);

  it('end with the reason at a key that was revoked', async () => {
    const retrying = inNode.filter(({ code }) => code.includes('retryingFetch'));
    expect(retrying.length).toBe(3);
    for (const recipe of retrying) {
      expect(await outputOf(server, recipe, { key: 'uas_revoked', folder })).toContain('Error: API key is invalid.');
    }
  });
});
