import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { useFieldNames } from '../fields/field-names.ts';
import { editDraft, removeDraft, storedEdit, useStoredDraft } from '../forms/drafts.ts';
import { storedNew } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { noteDraft } from '../note/new-note.tsx';

/** What was typed of a record that is gone: it is in its forms once that is restored, and here until it is given up. */
export function TypedValues({ kind, id }: RecordReference) {
  const [edited, noted] = [editDraft(kind, id), noteDraft({ kind, id })];
  const { base = {}, typed = {} } = useStoredDraft(edited, storedEdit) ?? {};
  const note = useStoredDraft(noted, storedNew)?.values['text'];
  const nameOf = useFieldNames();
  const changed = Object.entries(typed).filter(([field, value]) => value !== (base[field] ?? ''));
  const shown = changed.map(([field, value]) => [nameOf(field), String(value)] as const);
  if (note !== undefined) shown.push([t('notes.text'), String(note)]);
  if (shown.length === 0) return null;
  return (
    <section className="stack" aria-label={t('records.typed')}>
      <p>{t('records.typed')}</p>
      <dl className="facts">
        {shown.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="name-text" translate="no">
                {text}
              </span>{' '}
              <CopyButton text={text} name={t('editions.copy')} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={() => [edited, noted].forEach(removeDraft)}>{t('cells.giveUp')}</Button>
      </div>
    </section>
  );
}
