import { useQuery } from 'urql';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
import { OpenNotesDocument } from './documents.generated.ts';

export function OpenNotes() {
  const [{ data }] = useQuery({ query: OpenNotesDocument });
  const count = data?.notes.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <span className="badge" title={t('shell.openNotes', { count })}>
      {formatCount(count)}
    </span>
  );
}
