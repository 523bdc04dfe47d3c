import type { RestoreContent } from '@service/backup/restore';
import { migrations } from './open-postgres.ts';

/** What backups contain; a test compares it with the tables that the migrations create. */
export const backupContent: RestoreContent = {
  format: 'academic-structure-backup',
  tables: ['programs', 'branches', 'branch_years', 'users', 'api_keys', 'audit_entries', 'idempotency_records'],
  derived: ['change_log', 'search_words'],
  migrationsFolder: migrations.folder,
  guards: [{ table: 'audit_entries', trigger: 'audit_entries_append_only' }],
};
