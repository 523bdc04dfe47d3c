import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { printedSchema } from '../../../src/doors/graphql/schema.ts';
import {
  codeFor,
  expectToFollow,
  type Follower,
  followerOf,
  follows,
  installationOf,
  isProgram,
  outputOf,
  type Recipe,
  recipes,
} from '../../docs/recipes.ts';
import { openFaultyProxy } from '../../support/faulty-proxy.ts';
import { adminKey, serverForTest, useServer } from '../../support/server.ts';

const server = useServer();

/** The examples below a heading; each must be there. */
function recipeOf(title: string, language: string): Recipe {
  const recipe = recipes.find(
    (candidate) => candidate.title === title && candidate.language === language && isProgram(candidate),
  );
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
    expect(await print('A list with attributes: AICTE', 'python')).toBe(
      "imported {'created': 2, 'changed': 0, 'unchanged': 0} {'created': 3, 'changed': 0, 'unchanged': 0}\n" +
        "Diploma in Engineering CIVIL ENGINEERING {'intake': '24', 'shift': '1st Shift'}\n" +
        "Diploma in Engineering COMPUTER ENGINEERING {'intake': '48', 'shift': '2nd Shift'}\n" +
        "1 [{'value': 'ANDAMANS', 'count': 1}, {'value': 'PORT BLAIR', 'count': 1}]\n",
    );
  });

  it('that follow changes catch up after a lost connection', async () => {
    const [python, ...others] = recipes.filter((recipe) => recipe.language !== 'js' && follows(recipe));
    if (python === undefined) throw new Error('The recipe is missing.');
    expect([python.title, others]).toEqual(['Python with httpx', []]);

    const folder = await emptyFolder();
    await expectToFollow(server, [followerOf(python, folder)]);
  });
});

it('the recipe for httpx ends with the reason at a key that was revoked', async () => {
  const [follower] = recipes.filter((recipe) => recipe.language === 'python' && follows(recipe));
  if (follower === undefined) throw new Error('The recipe is missing.');

  expect(await outputOf(server, follower, { key: 'uas_revoked', folder: await emptyFolder() })).toContain('401');
});

it('the recipes for curl, Python and AICTE finish through cut connections, rate limits and foreign responses, and create once', async () => {
  const own = await serverForTest({ RATE_LIMIT_PER_MINUTE: '120' });
  for (let at = 0; at < 30; at += 1) await own.make.program({ name: `Program ${at}` });
  const through = { ...own, url: await openFaultyProxy(own.url, 2) };
  const place = { key: adminKey, folder: await emptyFolder() };
  const [curl, python, aicte] = [
    recipeOf('curl', 'sh'),
    recipeOf('Python', 'python'),
    recipeOf('A list with attributes: AICTE', 'python'),
  ];

  // Each time at other faults.
  for (let run = 0; run < 4; run += 1) {
    expect(await outputOf(through, curl, place)).toMatch(/"count":\d+,"hasPreviousPage":false,"hasNextPage":true\}$/);
    expect(await outputOf(through, python, place)).toBe('Acoustics\n');
    expect(await outputOf(through, aicte, place)).toMatch(/^imported .*\nDiploma .*\nDiploma .*\n1 \[.*\]\n$/);
  }
  const { body } = await own.graphql('{ programs { count } }');
  expect(body).toEqual({ data: { programs: { count: 30 + 1 + 4 + 2 } } });
  for (const recipe of [python, aicte])
    expect(await outputOf(own, recipe, { ...place, key: 'uas_revoked' })).toBe('API key is invalid.\n');
});

it('the recipes in JavaScript print what they have read and created, and follow changes, with the packages that the page installs, through the same', {
  timeout: 600_000,
}, async () => {
  const own = await serverForTest({ RATE_LIMIT_PER_MINUTE: '120' });
  await own.make.program({ name: 'Optics' });
  const through = { ...own, url: await openFaultyProxy(own.url, 2) };
  const ending: Record<string, string> = {};
  const followers: Follower[] = [];
  const folders = new Map<Recipe, string>();
  for (const recipe of recipes.filter(({ title }) => title !== 'Relay')) {
    const installation = installationOf(recipe);
    if (installation === undefined) continue;
    const folder = folders.get(installation) ?? (await emptyFolder());
    if (!folders.has(installation)) await outputOf(own, installation, { key: adminKey, folder });
    folders.set(installation, folder);
    if (follows(recipe)) followers.push(followerOf(recipe, folder));
    else ending[recipe.title] = await outputOf(through, recipe, { key: adminKey, folder });
    expect(await outputOf(own, recipe, { key: 'uas_revoked', folder }), recipe.title).toMatch(/API key is invalid|401/);
  }

  expect(ending).toEqual({
    'The schema': expect.stringContaining('\ntype Program implements Node {\n'),
    'Apollo Client': 'Optics\n',
    urql: 'Optics\n',
  });
  expect(followers.length).toBe(4);
  await expectToFollow(own, followers);
});

describe('the recipes that install packages', () => {
  it('generate, compile and print what they have read and created', { timeout: 300_000 }, async () => {
    const { id } = await server.make.program({ name: 'Fiber Optics' });
    await server.make.branch(id, { name: 'Lenses' });

    const titles = ['Relay', 'Postman'];
    const [relay, postman] = await Promise.all(titles.map(outputInNewFolder));

    expect(relay).toMatch(/\nFiber Optics\nLenses\n$/);
    expect(postman?.match(/(?<=\[)\d+ [A-Za-z ]+/g)).toEqual([
      '200 OK',
      '201 Created',
      '200 OK',
      '201 Created',
      '200 OK',
      '200 OK',
    ]);
  });
});

async function outputInNewFolder(title: string): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, 'schema.graphql'), printedSchema());
  for (const { title: heading, file, code } of recipes) {
    if (heading === title && file !== undefined) await writeFile(path.join(folder, file), codeFor(server, code));
  }
  return outputOf(server, recipeOf(title, 'sh'), { key: adminKey, folder });
}
