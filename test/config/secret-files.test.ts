import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartupError } from '@service/errors';
import { describe, expect, it } from 'vitest';
import { configWarnings, secretVariables } from '../../src/config.ts';
import { withSecretFiles } from '../../src/environment-files.ts';
import { databaseForTest } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { startProcess } from '../support/process.ts';

async function fileWith(content: string | Buffer): Promise<string> {
  const file = path.join(makeFolder(), 'secret');
  await writeFile(file, content);
  return file;
}

describe('a secret in a file', () => {
  it.each(secretVariables)(
    'is read from the file that %s_FILE names, without the line break at its end',
    async (name) => {
      const file = await fileWith('a secret \n');

      expect(withSecretFiles({ [`${name}_FILE`]: file, PORT: '1' }, secretVariables)).toMatchObject({
        [name]: 'a secret ',
        PORT: '1',
      });
    },
  );

  it('replaces a blank variable; a blank file name counts as unset', async () => {
    const file = await fileWith('secret');
    const env = { JWT_SECRET: ' ', JWT_SECRET_FILE: file, DATABASE_URL: 'x', DATABASE_URL_FILE: ' ' };

    expect(withSecretFiles(env, secretVariables)).toMatchObject({ JWT_SECRET: 'secret', DATABASE_URL: 'x' });
  });

  it('must be readable text, and given once: each problem is one line that repeats no value', async () => {
    const env = {
      JWT_SECRET: 'one secret',
      JWT_SECRET_FILE: await fileWith('another secret'),
      BOOTSTRAP_API_KEY_FILE: await fileWith('\n'),
      DATABASE_URL_FILE: path.join(tmpdir(), 'there-is-no-such-file'),
      DATABASE_DIRECT_URL_FILE: await fileWith(Buffer.from([0xff, 0xfe])),
    };

    expect(() => withSecretFiles(env, secretVariables)).toThrow(
      new StartupError(
        [
          'DATABASE_URL_FILE names a file that cannot be used: ENOENT',
          'DATABASE_DIRECT_URL_FILE names a file that cannot be used: it is not UTF-8',
          'BOOTSTRAP_API_KEY_FILE names a file that cannot be used: it is empty',
          'JWT_SECRET and JWT_SECRET_FILE are both set: use one of them',
        ].join('\n'),
      ),
    );
    const large = { JWT_SECRET_FILE: await fileWith('x'.repeat(65_537)) };
    expect(() => withSecretFiles(large, secretVariables)).toThrow('it is larger than 65536 bytes');
  });

  it('has a variable whose misspelling is noticed', () => {
    expect(configWarnings({ DATABASE_URL_FLIE: '/x' })).toEqual([
      'DATABASE_URL_FLIE is not a variable of this service: is DATABASE_URL_FILE meant?',
    ]);
    expect(configWarnings({ DATABASE_URL_FILE: '/x' })).toEqual([]);
  });

  it('starts the service, and a missing one stops the start with exit code 1', async () => {
    const database = await databaseForTest();
    const { child, url, ended } = startProcess({ DATABASE_URL_FILE: await fileWith(`${database.url}\n`) });
    expect((await fetch(`${await url}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);

    const failed = startProcess({ DATABASE_URL_FILE: path.join(tmpdir(), 'there-is-no-such-file') });
    failed.url.catch(() => undefined);
    expect(await failed.ended).toBe(1);
    expect(failed.stderr()).toBe('DATABASE_URL_FILE names a file that cannot be used: ENOENT\n');
  });
});
