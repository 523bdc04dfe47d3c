import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { StartupError } from '@service/errors';
import { describe, expect, it } from 'vitest';
import { defaultEnvironmentFile, withEnvironmentFile } from '../../src/environment-files.ts';
import { makeFolder } from '../support/files.ts';
import { startProcess } from '../support/process.ts';

async function fileWith(content: string | Buffer): Promise<string> {
  const file = path.join(makeFolder(), '.env');
  await writeFile(file, content);
  return file;
}

const nowhere = path.join(tmpdir(), 'there-is-no-such-file', '.env');

describe('the file of variables', () => {
  it('is .env beside package.json, and need not be there', async () => {
    const beside = path.join(path.dirname(defaultEnvironmentFile), 'package.json');
    expect(JSON.parse(await readFile(beside, 'utf8'))).toMatchObject({ name: 'academic-structure-service' });
    expect(path.basename(defaultEnvironmentFile)).toBe('.env');
    expect(withEnvironmentFile({ PORT: '1' }, nowhere)).toEqual({ PORT: '1' });
  });

  it('counts for what is not set, be it to nothing', async () => {
    const file = await fileWith('PORT=1\nHOST=a\nJWT_SECRET="b #c"\nLOG_LEVEL=warn\n');

    expect(withEnvironmentFile({ PORT: '2', LOG_LEVEL: '' }, file)).toEqual({
      PORT: '2',
      HOST: 'a',
      JWT_SECRET: 'b #c',
      LOG_LEVEL: '',
    });
  });

  it('is another one when ENV_FILE says so, which must be there', async () => {
    const [usual, other] = [await fileWith('PORT=1'), await fileWith('HOST=a')];

    expect(withEnvironmentFile({ ENV_FILE: other }, usual)).toEqual({ ENV_FILE: other, HOST: 'a' });
    expect(withEnvironmentFile({ ENV_FILE: ' ' }, usual)).toEqual({ ENV_FILE: ' ', PORT: '1' });
    expect(() => withEnvironmentFile({ ENV_FILE: nowhere }, usual)).toThrow(
      `ENV_FILE names ${nowhere}, which does not exist.`,
    );
  });

  it('may be the template, with and without its comments, and whatever else Node understands', async () => {
    const template = await readFile('.env.example', 'utf8');
    const others = ['export A=1 # so', '', "B='two", "lines'", 'C=`x`', 'D = "y"  ', 'E=', 'F="it\'s"', 'a.b-c=1'].join(
      '\r\n',
    );
    for (const text of [template, template.replaceAll(/^# (?=[A-Z_]+=)/gm, ''), others]) {
      expect(withEnvironmentFile({}, await fileWith(text))).toEqual(parseEnv(text));
    }
  });

  it.each([
    ['is invalid: line 2 is not NAME=value', 'PORT=1\nhunter2\n'],
    ['is invalid: line 1 is not NAME=value', '{"JWT_SECRET": "hunter2"}'],
    ['is invalid: line 3 is not NAME=value', '\n# so\nJWT_SECRET="hunter2\nPORT=1\n'],
    ['cannot be read: it is not UTF-8', Buffer.from([0xff, 0xfe, 0x50, 0])],
  ])('%s: one line, without what is in it', async (reason, content) => {
    const file = await fileWith(content);

    expect(() => withEnvironmentFile({}, file)).toThrow(new StartupError(`${file} ${reason}.`));
  });

  it('cannot be read when it is a folder', () => {
    expect(() => withEnvironmentFile({}, tmpdir())).toThrow(`${tmpdir()} cannot be read: EISDIR.`);
  });

  it('is read by the service', async () => {
    const ENV_FILE = await fileWith('METRICS_PORT=none\nPORT=0\n');
    const { ended, stderr } = startProcess({ ENV_FILE });

    expect(await ended).toBe(1);
    expect(stderr()).toBe('METRICS_PORT must be a whole number from 0 to 65535\n');
  });
});
