import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { FindBranchesDocument, FindProgramsDocument } from './documents.generated.ts';

/** A record that matches the words. */
interface Found {
  readonly id: number;
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly about: string;
}

interface Search {
  readonly found: readonly Found[];
  /** Whether the answer to the present words has not come yet. */
  readonly isWaiting: boolean;
}

const debounceMs = 150;

/** The words, once the typing pauses. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/**
 * What was found for earlier words, as far as it has the present ones: nobody chooses what no longer matches. Fewer than
 * the service finds, which knows more of spelling, until its answer comes.
 */
function stillMatching<Node>(nodes: readonly Node[], text: string, textOf: (node: Node) => string): readonly Node[] {
  const words = text.toLowerCase().split(/\s+/);
  return nodes.filter((node) => words.every((word) => textOf(node).toLowerCase().includes(word)));
}

/** The programs whose name or code has all of the words; none for no words. */
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

/** The branches whose name has all of the words; none for no words. */
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
