import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { Earlier, ListState } from '../lists/list-state.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { NotesDocument, type NotesQuery } from '../note/documents.generated.ts';
import { NoteItem } from '../note/note-item.tsx';
import { PrintTitle } from '../records/print-title.tsx';
import type { NotesSearch } from './search.ts';

const route = getRouteApi('/notes');
const notesIn = ({ notes }: NotesQuery) => notes;

const shown = { open: { done: false }, mine: { done: false, mine: true }, done: { done: true } } as const;
const choices = ['open', 'mine', 'done'] as const;

export function NotesScreen() {
  const { show = 'open' }: NotesSearch = route.useSearch();
  const list = usePageList(NotesDocument, { filter: shown[show], first: 50 }, notesIn);
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
      <ListState list={list}>
        <EmptyState
          title={t('notes.none')}
          about={t('notes.noneAbout')}
          ways={[
            { to: '/programs', text: t('common.allPrograms') },
            { to: '/branches', text: t('common.allBranches') },
          ]}
        />
      </ListState>
      {list.items.length > 0 && (
        <section className="card" aria-label={t(`notes.${show}`)}>
          <ol className="feed">
            {list.items.map((note) => (
              <NoteItem key={note.id} note={note} />
            ))}
          </ol>
        </section>
      )}
      <Earlier list={list} />
    </>
  );
}
