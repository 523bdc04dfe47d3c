import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';
import { useQuery } from 'urql';
import { Checkbox, TextField } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { formatCount } from '../components/time.tsx';
import { DurationsDocument } from './documents.generated.ts';
import { isFiltered, orders, type ProgramsSearch } from './search.ts';

const debounceMs = 180;

/** Search, filters and order; each change goes into the URL. */
export function Filters({ search }: { readonly search: ProgramsSearch }) {
  const navigate = useNavigate({ from: '/programs' });
  const change = (changes: ProgramsSearch, replace = false): void => {
    void navigate({ search: (previous) => ({ ...previous, ...changes }), replace });
  };
  return (
    <search className="filters">
      <SearchText value={search.q ?? ''} onChange={(q) => change({ q: q === '' ? undefined : q }, true)} />
      <Durations value={search.duration ?? ''} onChange={(duration) => change({ duration })} />
      <Select
        label="Branches"
        value={search.branches ?? 'any'}
        options={[
          { value: 'any', text: 'With or without' },
          { value: 'with', text: 'With branches' },
          { value: 'without', text: 'Without branches' },
        ]}
        onChange={(value) => change({ branches: value === 'any' ? undefined : value })}
      />
      <TextField
        label="Changed since"
        type="date"
        value={search.since ?? ''}
        onChange={(since) => change({ since: since === '' ? undefined : since })}
        isRequired
      />
      <Select
        label="Order"
        value={search.sort ?? 'NAME_ASC'}
        options={orders}
        onChange={(sort) => change({ sort: sort === 'NAME_ASC' ? undefined : sort })}
      />
      <div className="also">
        <Checkbox
          isSelected={search.inBranches === true}
          onChange={(inBranches) => change({ inBranches: inBranches ? true : undefined })}
        >
          Search the names of branches too
        </Checkbox>
        {isFiltered(search) && (
          <Button className="button quiet" onPress={() => void navigate({ search: {} })}>
            Clear all
          </Button>
        )}
      </div>
    </search>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The words to search for: typed here, in the URL shortly after. */
function SearchText({ value, onChange }: FieldProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The URL has changed by itself: the back button, a link.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (text: string): void => {
    clearTimeout(timer.current);
    if (text === sent.current) return;
    sent.current = text;
    onChange(text);
  };
  return (
    <SearchField
      className="field search"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(text.trim()), debounceMs);
      }}
      onSubmit={(text) => send(text.trim())}
      onClear={() => send('')}
    >
      <Label>Search</Label>
      <Input className="input" placeholder="Name or code" maxLength={255} />
      <Button className="button quiet clear">
        <span aria-hidden="true">×</span>
      </Button>
    </SearchField>
  );
}

/** The durations that the catalog has. */
function Durations({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  const [{ data }] = useQuery({ query: DurationsDocument });
  const known = data?.catalogStats.programsByDuration ?? [];
  const options = known.map(({ duration, count }) => ({
    value: duration,
    text: `${duration} (${formatCount(count)})`,
  }));
  const chosen = value === '' || known.some(({ duration }) => duration === value) ? [] : [{ value, text: value }];
  return (
    <Select
      label="Duration"
      value={value}
      options={[{ value: '', text: 'Any' }, ...chosen, ...options]}
      onChange={(duration) => onChange(duration === '' ? undefined : duration)}
    />
  );
}
