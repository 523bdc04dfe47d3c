import { expect, it, vi } from 'vitest';

it('what another tab of the user has saved is no save of this page, and not of somebody else', async () => {
  const here = await import('./own-saves.ts');
  vi.resetModules();
  const there = await import('./own-saves.ts');
  const record = { kind: 'PROGRAM', id: 7 } as const;
  there.keepOwnSave(record, { code: 'NEW' }, 3);
  await vi.waitFor(() => expect(here.saverOf(record, 'code', 'NEW ')).toBe('self'));
  expect([
    here.isOwnSave(record, 'code', 'NEW'),
    here.saverOf(record, 'code', 'THEIRS'),
    here.saverOf(record, 'name', 'NEW'),
    here.saverOf({ ...record, id: 8 }, 'code', 'NEW'),
    there.saverOf(record, 'code', 'NEW'),
  ]).toEqual([false, 'other', 'other', 'other', 'other']);
});
