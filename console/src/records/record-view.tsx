import type { UseNavigateResult } from '@tanstack/react-router';
import { CornerUpRight, Pencil, StickyNote, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode, use, useRef, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { focusAfter } from '../browser/focus.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { useRemoval } from '../bulk/use-removal.ts';
import { InSidePanel, PageTitle } from '../components/page-title.tsx';
import { attributeFacts } from '../fields/attribute-facts.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { Time } from '../format/time.tsx';
import { editDraft, hasDraft } from '../forms/drafts.ts';
import { useIsChanged } from '../forms/use-is-changed.ts';
import { Timeline } from '../history/timeline.tsx';
import { t } from '../language/language.ts';
import { NewNote, noteDraft } from '../note/new-note.tsx';
import { NotesPanel } from '../note/notes-panel.tsx';
import type { ProgramFieldsFragment } from '../program/documents.generated.ts';
import { useRights } from '../session/viewer.tsx';
import { PrintTitle } from './print-title.tsx';
import { RecordAction } from './record-action.tsx';

interface RecordViewProps {
  readonly kind: RecordKind;
  readonly record: Pick<ProgramFieldsFragment, 'id' | 'name' | 'attributes' | 'createdAt' | 'updatedAt'>;
  readonly isDeleted: boolean;
  /** The links of the breadcrumb. */
  readonly crumbs: ReactNode;
  /** Its own facts, before those that all records have. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  readonly actions?: ReactNode;
  readonly description?: string;
  readonly form: (close: () => void) => ReactNode;
  /** Leaves the screen after the deletion. */
  readonly leave: (go: UseNavigateResult<string>) => Promise<void>;
  readonly children?: ReactNode;
}

/** The screen of a record: its facts or its form, which opens by itself if it has a draft, and its history. */
export function RecordView(props: RecordViewProps) {
  const { kind, record, isDeleted, crumbs, facts: own, actions, description = '', form, leave, children } = props;
  const { id, name } = record;
  const facts = [
    ...own,
    ...attributeFacts(record.attributes, useDefinitions(kind)),
    [t('field.number'), id],
    [t('field.created'), <Time key="" at={record.createdAt} />],
    [t('records.lastChanged'), <Time key="" at={record.updatedAt} />],
  ] as const;
  // The number of times that the form was opened: each time, it reads its draft again.
  const [openings, setOpenings] = useState(() => (hasDraft(editDraft(kind, id)) ? 1 : 0));
  const isEditing = openings > 0;
  const editButton = useRef<HTMLButtonElement>(null);
  const [hadNote] = useState(() => hasDraft(noteDraft({ kind, id })));
  const [isNoting, setIsNoting] = useState(hadNote);
  const noteButton = useRef<HTMLButtonElement>(null);
  const edit = (): void => setOpenings(openings + 1);
  const { canWrite, canSeeHistory } = useRights();
  const isChanged = useIsChanged(kind, id);
  const { remove } = useRemoval(kind);
  const isInSidePanel = use(InSidePanel);
  const [isMoving, setIsMoving] = useState(false);
  return (
    <>
      <nav aria-label={t('records.breadcrumb')} className="hint crumbs">
        {crumbs} / <span aria-current="page">{name}</span>
      </nav>
      <PrintTitle parts={[t('records.recordNumber', { kind, id: String(id) })]} />
      <div className="record">
        <div className="stack">
          <section
            className={isChanged && !isEditing ? 'stack changed' : 'stack'}
            aria-label={t('common.one', { kind })}
          >
            <div className="page-head">
              <PageTitle text={name} isName />
              {canWrite && !isDeleted && (
                <div className="actions">
                  {!isEditing && (
                    <RecordAction
                      ref={editButton}
                      icon={Pencil}
                      text={t(kind === 'PROGRAM' ? 'forms.editProgram' : 'forms.editBranch')}
                      onClick={edit}
                    />
                  )}
                  <RecordAction
                    ref={noteButton}
                    icon={StickyNote}
                    text={t('notes.add')}
                    aria-expanded={isNoting}
                    onClick={() => setIsNoting(!isNoting || hasDraft(noteDraft({ kind, id })))}
                  />
                  {!isEditing && (
                    <>
                      {actions}
                      {kind === 'BRANCH' && (
                        <RecordAction
                          icon={CornerUpRight}
                          text={t('records.moveBranch')}
                          onClick={() => setIsMoving(true)}
                        />
                      )}
                      <RecordAction
                        icon={Trash2}
                        text={t('records.deleteOne', { kind })}
                        onClick={() => void remove(record, isInSidePanel ? async () => undefined : leave)}
                      />
                    </>
                  )}
                </div>
              )}
            </div>
            {isEditing ? (
              <Fragment key={openings}>{form(() => focusAfter(() => setOpenings(0), editButton))}</Fragment>
            ) : (
              <>
                {description !== '' && (
                  <p className="description name-text" translate="no">
                    {description}
                  </p>
                )}
                <dl className="facts">
                  {facts.map(([fact, value]) => (
                    <div key={fact}>
                      <dt>{fact}</dt>
                      <dd className="name-text" translate="no">
                        {value}
                      </dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </section>
          {(!isDeleted || hasDraft(noteDraft({ kind, id }))) && (
            <NotesPanel kind={kind} id={id}>
              {isNoting && canWrite && (
                <NewNote
                  kind={kind}
                  ids={[id]}
                  draft={noteDraft({ kind, id })}
                  about={name}
                  autoFocus={!hadNote}
                  close={() => focusAfter(() => setIsNoting(false), noteButton)}
                />
              )}
            </NotesPanel>
          )}
          {children}
        </div>
        {canSeeHistory && !isDeleted && <Timeline owner={{ kind, id }} edit={edit} />}
      </div>
      {isMoving && <BulkDialog kind={kind} action="move" ids={[id]} close={() => setIsMoving(false)} />}
    </>
  );
}
