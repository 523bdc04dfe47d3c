import { expect, it } from 'vitest';
import { messageFor } from '../../src/cli/errors.ts';

it.each([
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'there is no space left on the disk'],
  ['EACCES', 'permission denied'],
  ['EDQUOT', 'the disk quota is used up'],
])(
  'a file that cannot be written is a sentence, without the name that a backup has until it is verified: %s',
  (code, sentence) => {
    const path = '/backups/night.backup.unfinished-c3a54837-d599-46ba-8f65-325d9d1efbf7';
    const problem = Object.assign(new Error(`${code}: some words, open '${path}'`), { code, syscall: 'open', path });
    expect(messageFor(problem)).toBe(`Cannot write /backups/night.backup: ${sentence}.`);
    expect(messageFor(Object.assign(new Error(code), { code, syscall: 'write' }))).toBe(`Cannot write: ${sentence}.`);
  },
);
