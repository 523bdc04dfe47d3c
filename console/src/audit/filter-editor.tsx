import { useQuery } from 'urql';
import { UserNamesDocument } from '../history/documents.generated.ts';
import { Choice } from '../list-bar/choice.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { DayEditor } from '../list-bar/value-editors.tsx';
import { type AuditSearch, actions, actorOptions, subjects } from './search.ts';

export function FilterEditor({ id, search, change, choose }: FilterEditorProps<AuditSearch>) {
  switch (id) {
    case 'actor':
      return <Actors value={search.actor} onChange={(actor) => choose({ actor })} />;
    case 'subject':
      return (
        <Choice label="What" options={subjects} value={search.subject} onChange={(subject) => choose({ subject })} />
      );
    case 'action':
      return <Choice label="Was" options={actions} value={search.action} onChange={(action) => choose({ action })} />;
    case 'since':
      return <DayEditor label="From" value={search.since} onChange={(since) => change({ since })} />;
    default:
      return <DayEditor label="To" value={search.until} onChange={(until) => change({ until })} />;
  }
}

interface ActorsProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function Actors({ value, onChange }: ActorsProps) {
  const [{ data }] = useQuery({ query: UserNamesDocument });
  if (data === undefined) return <p className="hint">Loading…</p>;
  const options = actorOptions(
    data.users.map(({ name }) => name),
    value,
  );
  return <Choice label="By" options={options} value={value} onChange={onChange} />;
}
