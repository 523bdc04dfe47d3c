import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deferOutput } from '../../src/cli/deferred-output.ts';
import { newDataDir, openForTest } from '../support/embedded.ts';
import { runCommand } from './run-command.ts';

const embedded = (dataDir: string) => ({ env: { DATABASE_URL: '', DATA_DIR: dataDir } });

describe('a command on the embedded database', () => {
  it('says nothing of the database when all is well', async () => {
    const dataDir = await newDataDir();
    await openForTest({ dataDir });
    // The first command makes the tables, which takes long.
    await runCommand('', ['users', 'list'], embedded(dataDir));

    expect(await runCommand('', ['users', 'list'], embedded(dataDir))).toEqual({ exitCode: 0, out: '[]\n', err: '' });
  });

  it('says why when the database cannot be used', async () => {
    const dataDir = await newDataDir();
    await writeFile(dataDir, 'not a folder');

    expect(await runCommand('', ['users', 'list'], embedded(dataDir))).toEqual({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/^The embedded database cannot be used\. .* Set DATABASE_URL .*\n$/),
    });
  });
});

describe('what a store tells', () => {
  const url = 'postgresql://nobody@127.0.0.1:1/nothing';

  it('is passed on once opening has taken long', async () => {
    const told: string[] = [];
    const said = new EventEmitter();
    const store = await deferOutput(
      async (tell) => {
        tell('Making a database.');
        await once(said, 'sentence');
        tell('It runs.');
        return { url, close: async () => tell('It was stopped.') };
      },
      (sentence) => {
        told.push(sentence);
        said.emit('sentence');
      },
      { patience: 0 },
    );
    await store.close();

    expect(told).toEqual(['Making a database.', 'It runs.']);
  });

  it('is passed on when opening fails', async () => {
    const told: string[] = [];
    const opening = deferOutput(
      async (tell) => {
        tell('Making a database.');
        throw new Error('The disk is full.');
      },
      (sentence) => told.push(sentence),
    );

    await expect(opening).rejects.toThrow('The disk is full.');
    expect(told).toEqual(['Making a database.']);
  });

  it('is passed on while it is in use, and not while it is closed', async () => {
    const told: string[] = [];
    let tell: (sentence: string) => void = () => undefined;
    const store = await deferOutput(
      async (telling) => {
        telling('It runs.');
        tell = telling;
        return { url, close: async () => telling('It was stopped.') };
      },
      (sentence) => told.push(sentence),
    );
    tell('The connection was lost.');
    await store.close();

    expect(told).toEqual(['The connection was lost.']);
  });
});
