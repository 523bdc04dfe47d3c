import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backUp } from '@service/backup/backup';
import { restore } from '@service/backup/restore';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const { signal } = new AbortController();

it('rejects a backup of a newer version', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'newer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const file = path.join(folder, 'backup');
  await backUp({ url: database.url, file, signal });
  const lines = gunzipSync(await readFile(file)).toString();
  const body = lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1);
  const newer = body.replace('"migrations":[', '"migrations":["29990101000000_later",');
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const end = lines.slice(body.length).replace(sha256(body), sha256(newer));
  await writeFile(file, gzipSync(newer + end));

  await expect(restore({ url: database.url, file, force: true, signal, report: () => undefined })).rejects.toThrow(
    'This backup is from a newer version of the service: restore it with that version.',
  );
});
