import { writeFile } from 'node:fs/promises';
import { madeDataDir, newDataDir, openForTest } from '@service/embedded-postgres/testing';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const embedded = (dataDir: string) => ({ env: { DATABASE_URL: '', DATA_DIR: dataDir } });

describe('a command on the embedded database', () => {
  it('prints on standard output only its result', async () => {
    const dataDir = await madeDataDir();
    await openForTest({ dataDir });

    expect(await runCommand('', ['users', 'list'], embedded(dataDir))).toEqual({
      exitCode: 0,
      out: '[]\n',
      err: expect.stringMatching(/^The embedded PostgreSQL was running already \(.*\)\.\n$/),
    });
  });

  it('prints the reason when the database cannot be used', async () => {
    const dataDir = await newDataDir();
    await writeFile(dataDir, 'not a folder');

    expect(await runCommand('', ['users', 'list'], embedded(dataDir))).toEqual({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/^The embedded database cannot be used\. .* Set DATABASE_URL .*\n$/),
    });
  });
});
