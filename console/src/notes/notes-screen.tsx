import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { programFilter, useActors } from '../changes/filters.tsx';
import { EmptyState } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { choiceFilter } from '../list-bar/filters.ts';
import { ListBar } from '../list-bar/list-bar.tsx';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { Earlier, ListState } from '../lists/list-state.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { NotesDocument, type NotesQuery } from '../note/documents.generated.ts';
import { NoteItem } from '../note/note-item.tsx';
import { type NotesSearch, parseNotesSearch } from './search.ts';

const route = getRouteApi('/notes');
const notesIn = ({ notes }: NotesQuery) => notes;

const shown = { open: { done: false }, mine: { done: false, mine: true }, done: { done: true } } as const;
const choices = ['open', 'mine', 'done'] as const;

const noFilter = { author: undefined, program: undefined };
const authorFilter = choiceFilter('author', t('notes.author'), useActors);
const filters = (search: Search): readonly ListFilter[] => [authorFilter(search), programFilter(search)];

export function NotesScreen() {
  const search: NotesSearch = route.useSearch();
  const { show = 'open', author, program } = search;
  const navigate = useNavigate({ from: '/notes' });
  const filter = { ...shown[show], author, programId: program };
  const list = usePageList(NotesDocument, { filter, first: 50 }, notesIn);
  const change = (changes: Search): void => void navigate({ search: parseNotesSearch({ ...search, ...changes }) });
  return (
    <>
      <PageTitle text={t('shell.notes')} />
      <ListBar
        search={search}
        filters={filters(search)}
        change={change}
        clear={() => change(noFilter)}
        printed={t(`notes.${show}`)}
      >
        {choices.map((choice) => (
          <Link
            key={choice}
            to="/notes"
            search={{ ...search, show: choice }}
            className={choice === show ? 'button primary' : 'button quiet'}
            aria-current={choice === show ? 'page' : undefined}
          >
            {t(`notes.${choice}`)}
          </Link>
        ))}
      </ListBar>
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
          <ol className="notes">
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
