import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { hasWords } from '../format/words.ts';
import { t } from '../language/language.ts';
import { FindDocument, type FindQueryVariables } from './documents.generated.ts';

interface Found {
  readonly kind: RecordKind;
  readonly id: number;
  readonly name: string;
  readonly code: string | null;
  /** Distinguishes records of the same name. */
  readonly about: string;
}

const debounceMs = 150;

/** A text once it has stayed the same for a moment. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

type Searched = Pick<Found, 'name' | 'code'>;

const hasAll = ({ name, code }: Searched, text: string): boolean => hasWords(`${name} ${code ?? ''}`, text);

/** Records with every word of a text come first: where one kind has none, the service finds similar words in it. */
export const withAllFirst = <Item extends Searched>(found: readonly Item[], text: string): readonly Item[] =>
  found.toSorted((one, other) => Number(hasAll(other, text)) - Number(hasAll(one, text)));

/**
 * Records that match a text by name or code. Until its response is there, the previous ones that still match: a result
 * that no longer matches cannot be chosen.
 */
export function useFound(text: string, kinds: Omit<FindQueryVariables, 'search'>) {
  const search = useDebounced(text);
  const variables = { search, ...kinds };
  const [{ data, fetching }] = useQuery({ query: FindDocument, variables, pause: search === '' });
  const isWaiting = fetching || search !== text;
  const programs = (data?.programsConnection?.nodes ?? []).map((program): Found => {
    const { code, duration } = program;
    return { ...program, kind: 'PROGRAM', about: [code, duration].filter(Boolean).join(' · ') };
  });
  const branches = (data?.branchesConnection?.nodes ?? []).map((branch): Found => {
    const { program } = branch;
    return {
      ...branch,
      kind: 'BRANCH',
      about: program === undefined ? t('find.branch') : t('find.branchOf', { program: program.name }),
    };
  });
  const found = search === '' || text === '' ? [] : withAllFirst([...programs, ...branches], text);
  const isMore = [data?.programsConnection, data?.branchesConnection].some((page) => page?.pageInfo.hasNextPage);
  /** `isWaiting`: the response for the current text is still to come. */
  return {
    found: isWaiting ? found.filter((one) => hasAll(one, text)) : found,
    isWaiting,
    isMore: isMore && !isWaiting,
  };
}
