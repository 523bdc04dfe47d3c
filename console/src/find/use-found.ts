import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { FindBranchesDocument, FindProgramsDocument } from './documents.generated.ts';

interface Found {
  readonly id: number;
  readonly name: string;
  /** Distinguishes records of the same name. */
  readonly about: string;
}

interface Search {
  readonly found: readonly Found[];
  /** Whether the response for the current text is still to come. */
  readonly isWaiting: boolean;
}

const debounceMs = 150;

/** A text once it has stayed the same for a moment. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/**
 * Filters the previous results by the current text until its response is there: a result that no longer matches cannot be
 * chosen.
 */
function stillMatching<Node>(nodes: readonly Node[], text: string, textOf: (node: Node) => string): readonly Node[] {
  const words = text.toLowerCase().split(/\s+/);
  return nodes.filter((node) => words.every((word) => textOf(node).toLowerCase().includes(word)));
}

/** Programs that match by name or code. */
export function useFoundPrograms(text: string): Search {
  const search = useDebounced(text);
  const [{ data, fetching }] = useQuery({ query: FindProgramsDocument, variables: { search }, pause: search === '' });
  const nodes = search === '' || text === '' ? [] : (data?.programsConnection.nodes ?? []);
  const isWaiting = fetching || search !== text;
  const matching = isWaiting ? stillMatching(nodes, text, ({ name, code }) => `${name} ${code ?? ''}`) : nodes;
  return {
    found: matching.map(({ id, name, code, duration }) => ({
      id,
      name,
      about: [code, duration].filter(Boolean).join(' · '),
    })),
    isWaiting,
  };
}

/** Branches that match by name. */
export function useFoundBranches(text: string, withProgram: boolean): Search {
  const search = useDebounced(text);
  const variables = { search, withProgram };
  const [{ data, fetching }] = useQuery({ query: FindBranchesDocument, variables, pause: search === '' });
  const nodes = search === '' || text === '' ? [] : (data?.branchesConnection.nodes ?? []);
  const isWaiting = fetching || search !== text;
  const matching = isWaiting ? stillMatching(nodes, text, ({ name }) => name) : nodes;
  return {
    found: matching.map(({ id, name, program }) => ({
      id,
      name,
      about: program === undefined ? 'branch' : `branch of ${program.name}`,
    })),
    isWaiting,
  };
}
