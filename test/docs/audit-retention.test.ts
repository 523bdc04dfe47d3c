import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

it('the documented statements remove old audit entries only, and leave the log append-only', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const page = await readFile('docs/operation.md', 'utf8');
  const [sql = ''] = page.split('```').filter((block) => block.includes('DISABLE TRIGGER audit_entries_append_only'));
  await database.query(`INSERT INTO audit_entries (at, actor, action, subject, subject_id)
    SELECT now() - i * interval '6 years', 'ada', 'create', 'Program', i FROM generate_series(1, 3) AS i`);

  await database.query(sql.replace(/^sql/, ''));

  expect(await database.query('SELECT subject_id FROM audit_entries')).toEqual([{ subject_id: 1 }]);
  await expect(database.query('DELETE FROM audit_entries')).rejects.toThrow('never changed or deleted');
});
