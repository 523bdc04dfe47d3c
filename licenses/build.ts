// Writes into licenses/dist the licences and the bill of materials of everything that the builds have put into the service,
// the console and GraphiQL, and of the embedded PostgreSQL.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { notices } from './notices.ts';
import { allParts } from './parts.ts';
import { billOfMaterials } from './sbom.ts';

const root = path.join(import.meta.dirname, '..');
const json = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const bundled = (folder: string): string[] => z.array(z.string()).parse(json(`${folder}/bundled-packages.json`));

const service = z.object({ name: z.string(), version: z.string() }).parse(json('package.json'));
const parts = allParts({
  service: bundled('dist'),
  console: bundled('console/dist'),
  GraphiQL: ['node_modules/@graphql-yoga/render-graphiql'],
});
write('THIRD-PARTY-LICENSES.txt', notices('Academic Structure Service', parts));
write('sbom.cdx.json', `${JSON.stringify(billOfMaterials(service, parts), null, 2)}\n`);

/** Writes a file, and beside it its compressed forms. */
function write(name: string, text: string): void {
  const file = path.join(import.meta.dirname, 'dist', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.br`, brotliCompressSync(text));
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
  writeFileSync(file, text);
}
