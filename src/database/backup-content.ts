import type { RestoreContent } from '@service/backup/restore';
import { migrations } from './open-postgres.ts';

/** The content of backups; a test compares it with the tables that the migrations create. */
export const backupContent: RestoreContent = {
  format: 'academic-structure-backup',
  tables: [
    ...['programs', 'branches', 'branch_years', 'users', 'api_keys', 'audit_entries', 'notes', 'saved_views'],
    // An edition follows its chunks, which it seals.
    ...['edition_chunks', 'editions', 'attribute_definitions', 'attribute_choices', 'idempotency_records'],
  ],
  derived: ['change_log', 'search_words', 'sign_in_secret'],
  functions: [
    ...['fold_case(text)', 'fold_signs(text)', 'fold_forms(text)', 'fold_nasals(text)', 'fold_text(text)'],
    ...[
      'search_fold(text)',
      'search_spellings(text)',
      'search_form(text,text)',
      'search_attributes(jsonb)',
      'search_pattern(text,text)',
    ],
    ...['number_key(text)', 'name_key(text)', 'sort_key(text)', 'attribute_key(text)', 'sort_attributes(jsonb)'],
    ...['search_words_of(text)', 'count_search_words()', 'count_all_search_words()'],
    ...['refuse_change_of_audit()', 'refuse_change_of_edition()', 'refuse_chunk_of_edition()'],
    ...['merge_log_records(jsonb,jsonb)', 'log_rows_max()'],
    ...['add_to_change_log(jsonb,integer[],boolean)', 'update_action(boolean,boolean,boolean)'],
    ...['log_rows(text,integer[],integer[],text[],jsonb[])', 'log_programs()', 'log_branches()'],
    ...['log_branch_years()', 'log_notes()', 'log_everything()', 'log_access()', 'log_definitions()'],
    ...['log_records_max()', 'flat_snapshot(jsonb)', 'three_way(jsonb,jsonb,jsonb)'],
  ],
  migrationsFolder: migrations.folder,
  otherVersionAdvice: migrations.otherVersionAdvice,
  guards: ['audit_entries', 'editions', 'edition_chunks'].map((table) => ({ table, trigger: `${table}_append_only` })),
};
