import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { madeDataDir, newDataDir, openForTest } from '@service/embedded-postgres/testing';
import { describe, expect, it } from 'vitest';
import { deferOutput } from '../../src/cli/deferred-output.ts';
import { runCommand } from './run-command.ts';

const embedded = (dataDir: string) => ({ env: { DATABASE_URL: '', DATA_DIR: dataDir } });

describe('a command on the embedded database', () => {
  it('prints nothing about the database on success', async () => {
    const dataDir = await madeDataDir();
    await openForTest({ dataDir });
    // The first command runs the migrations, which takes long.
    await runCommand('', ['users', 'list'], embedded(dataDir));

    expect(await runCommand('', ['users', 'list'], embedded(dataDir))).toEqual({
      exitCode: 0,
      out: '[]\n',
      err: '',
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

describe('output of opening a database', () => {
  const url = 'postgresql://nobody@127.0.0.1:1/nothing';

  it('is printed once opening takes long', async () => {
    const printed: string[] = [];
    const emitter = new EventEmitter();
    const store = await deferOutput(
      async (tell) => {
        tell('Making a database.');
        await once(emitter, 'sentence');
        tell('It runs.');
        return { url, close: async () => tell('It was stopped.') };
      },
      (sentence) => {
        printed.push(sentence);
        emitter.emit('sentence');
      },
      { delayMs: 0 },
    );
    await store.close();

    expect(printed).toEqual(['Making a database.', 'It runs.']);
  });

  it('is printed when opening fails', async () => {
    const printed: string[] = [];
    const opening = deferOutput(
      async (report) => {
        report('Making a database.');
        throw new Error('The disk is full.');
      },
      (sentence) => printed.push(sentence),
    );

    await expect(opening).rejects.toThrow('The disk is full.');
    expect(printed).toEqual(['Making a database.']);
  });

  it('is printed while the database is in use, but not on close', async () => {
    const printed: string[] = [];
    let emit: (sentence: string) => void = () => undefined;
    const store = await deferOutput(
      async (report) => {
        report('It runs.');
        emit = report;
        return { url, close: async () => report('It was stopped.') };
      },
      (sentence) => printed.push(sentence),
    );
    emit('The connection was lost.');
    await store.close();

    expect(printed).toEqual(['The connection was lost.']);
  });
});
