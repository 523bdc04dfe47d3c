import { getRouteApi, Link } from '@tanstack/react-router';
import { ErrorNotice } from '../api/error-notice.tsx';
import { BusyButton } from '../components/busy-button.tsx';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { NotesDocument, type NotesQuery } from '../note/documents.generated.ts';
import { NoteItem } from '../note/note-item.tsx';
import { PrintTitle } from '../records/print-title.tsx';
import type { NotesSearch } from './search.ts';

const route = getRouteApi('/notes');
const notesIn = ({ notes }: NotesQuery) => notes;

const shown = { open: { done: false }, mine: { done: false, mine: true }, done: { done: true } } as const;
const choices = ['open', 'mine', 'done'] as const;

/** The notes on all records. */
export function NotesScreen() {
  const { show = 'open' }: NotesSearch = route.useSearch();
  const list = usePageList(NotesDocument, { filter: shown[show], first: 50 }, notesIn);
  const { items, hasNext, isLoading, error } = list;
  return (
    <>
      <PageTitle text={t('shell.notes')} />
      <PrintTitle parts={[t(`notes.${show}`)]} />
      <nav className="actions" aria-label={t('shell.notes')}>
        {choices.map((choice) => (
          <Link
            key={choice}
            to="/notes"
            search={{ show: choice }}
            className={choice === show ? 'button primary' : 'button quiet'}
            aria-current={choice === show ? 'page' : undefined}
          >
            {t(`notes.${choice}`)}
          </Link>
        ))}
      </nav>
      {error !== undefined && <ErrorNotice error={error} retry={list.reload} isShown={!list.isEmpty} />}
      {items.length === 0 && isLoading && <Sketch />}
      {items.length > 0 && (
        <section className="card" aria-label={t(`notes.${show}`)}>
          <ol className="feed">
            {items.map((note) => (
              <NoteItem key={note.id} note={note} />
            ))}
          </ol>
        </section>
      )}
      {hasNext && (
        <BusyButton className="button" isBusy={isLoading} onClick={list.loadMore}>
          {t('history.earlier')}
        </BusyButton>
      )}
      {items.length === 0 && !isLoading && error === undefined && (
        <EmptyState title={t('notes.none')}>
          <p>{t('notes.noneAbout')}</p>
          <div className="actions">
            <Link to="/programs" className="button primary">
              {t('common.allPrograms')}
            </Link>
            <Link to="/branches" className="button quiet">
              {t('common.allBranches')}
            </Link>
          </div>
        </EmptyState>
      )}
    </>
  );
}
