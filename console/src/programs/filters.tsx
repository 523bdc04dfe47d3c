import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { Checkbox, TextField } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { formatCount } from '../format/text.ts';
import { countChosen, MoreFilters } from '../lists/more-filters.tsx';
import { SearchText } from '../lists/search-text.tsx';
import { DurationsDocument } from './documents.generated.ts';
import { describeBranches, isFiltered, orderOf, ordersFor, type ProgramsSearch, sortedBy } from './search.ts';

/** Search, filters and order, all in the URL. Memoized: the list renders often. */
export const Filters = memo(function Filters({ search }: { readonly search: ProgramsSearch }) {
  const navigate = useNavigate({ from: '/programs' });
  const change = (changes: ProgramsSearch, replace = false): void => {
    void navigate({ search: (previous) => ({ ...previous, ...changes }), replace });
  };
  return (
    <search className="filters">
      <SearchText
        placeholder="Name or code"
        value={search.q ?? ''}
        onChange={(q) => change({ q: q === '' ? undefined : q }, true)}
      />
      <MoreFilters text="Filter and sort" chosen={chosenIn(search)}>
        <Durations value={search.duration ?? ''} onChange={(duration) => change({ duration })} />
        <NumberOfBranches search={search} onChange={change} />
        <TextField
          label="Changed since"
          type="date"
          value={search.since ?? ''}
          onChange={(since) => change({ since: since === '' ? undefined : since })}
          isCondition
        />
        <Select
          label="Order"
          value={orderOf(search)}
          options={ordersFor(search)}
          onChange={(order) => change(sortedBy(search, order))}
        />
        <div className="also">
          <Checkbox
            isSelected={search.inBranches === true}
            onChange={(inBranches) => change({ inBranches: inBranches ? true : undefined })}
          >
            Search the names of branches too
          </Checkbox>
          {isFiltered(search) && (
            <Button className="button" onPress={() => void navigate({ search: {} })}>
              Clear all
            </Button>
          )}
        </div>
      </MoreFilters>
    </search>
  );
});

const chosenIn = ({ duration, branches, minBranches, maxBranches, since, sort, inBranches }: ProgramsSearch): number =>
  countChosen(duration, branches ?? minBranches ?? maxBranches, since, sort, inBranches);

const withOrWithout = [
  { value: 'any', text: 'With or without' },
  { value: 'with', text: 'With branches' },
  { value: 'without', text: 'Without branches' },
] as const;

interface NumberOfBranchesProps {
  readonly search: ProgramsSearch;
  readonly onChange: (changes: ProgramsSearch) => void;
}

/** With or without branches; links of the overview also set a number. */
function NumberOfBranches({ search, onChange }: NumberOfBranchesProps) {
  const hasNumber = search.minBranches !== undefined || search.maxBranches !== undefined;
  const number = { value: 'number', text: describeBranches(search) } as const;
  return (
    <Select
      label="Branches"
      value={hasNumber ? 'number' : (search.branches ?? 'any')}
      options={hasNumber ? [number, ...withOrWithout] : withOrWithout}
      onChange={(value) => {
        if (value === 'number') return;
        onChange({ branches: value === 'any' ? undefined : value, minBranches: undefined, maxBranches: undefined });
      }}
    />
  );
}

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
