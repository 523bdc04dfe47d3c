import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Client, useClient, useQuery } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { toastOutcome } from '../api/toast-outcome.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import type { BulkTask } from '../bulk/send.ts';
import { TaskButton } from '../components/button.tsx';
import type { Definition } from '../fields/definitions.ts';
import { t } from '../language/language.ts';
import { OtherValuesDocument, RetiredBranchesDocument, RetiredProgramsDocument } from './documents.generated.ts';

/** The service takes so many values in a condition, and so many records in a change. */
const valuesMax = 100;
const idsMax = 1_000;

/**
 * How many records have values that the definition would not take today, each kind as a link to its list, and what gives
 * those with retired choices the successors.
 */
export function OtherValues({ definition: { key, choices }, canReplace }: OtherValuesProps) {
  const client = useClient();
  const [found, setFound] = useState<{ readonly kind: RecordKind; readonly ids: readonly number[] } | null>(null);
  const retired = useMemo(() => replacedIn(choices), [choices]);
  const mayReplace = canReplace && retired.length > 0;
  const [{ data }] = useQuery({ query: OtherValuesDocument, variables: { key, retired, mayReplace } });
  const search = { attributes: { [key]: { problem: true } } } as const;
  const programs = data?.programsConnection.totalCount ?? 0;
  const branches = data?.branchesConnection.totalCount ?? 0;
  const replace = (kind: RecordKind, count = 0) => {
    const find = async (): Promise<void> => {
      const { ids, error } = await readIds(client, kind, { key, retired });
      if (error === undefined) setFound({ kind, ids });
      else toastOutcome(error);
    };
    return (
      count > 0 && (
        <TaskButton look="quiet" busyText={t('common.checking')} run={find}>
          {t('definitions.replace', { kind, count: Math.min(count, idsMax) })}
        </TaskButton>
      )
    );
  };
  return (
    <>
      {programs > 0 && (
        <Link to="/programs" search={search}>
          {t('definitions.otherValues', { kind: 'PROGRAM', count: programs })}
        </Link>
      )}{' '}
      {replace('PROGRAM', data?.retiredPrograms?.totalCount)}
      {branches > 0 && (
        <Link to="/branches" search={search}>
          {t('definitions.otherValues', { kind: 'BRANCH', count: branches })}
        </Link>
      )}{' '}
      {replace('BRANCH', data?.retiredBranches?.totalCount)}
      {found !== null && <Replacement attribute={key} {...found} close={() => setFound(null)} />}
    </>
  );
}

interface OtherValuesProps {
  readonly definition: Pick<Definition, 'key' | 'choices'>;
  readonly canReplace: boolean;
}

/** The first choices that have a successor. */
const replacedIn = (choices: Definition['choices']): string[] =>
  choices
    .filter((one) => one.retired && one.replacedBy !== null)
    .slice(0, valuesMax)
    .map(({ value }) => value);

interface ReplacementProps {
  readonly attribute: string;
  readonly kind: RecordKind;
  readonly ids: readonly number[];
  readonly close: () => void;
}

function Replacement({ attribute, kind, ids, close }: ReplacementProps) {
  const task = useMemo(
    (): BulkTask => ({ kind, action: 'update', input: { replaceRetired: [attribute] } }),
    [kind, attribute],
  );
  return <BulkDialog kind={kind} action="change" task={task} ids={ids} close={close} />;
}

/** The records that have one of some values, as many as a change takes. */
async function readIds(client: Client, kind: RecordKind, given: { readonly key: string; readonly retired: string[] }) {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const variables: typeof given & { after: string | null } = { ...given, after };
    const { data, error } =
      kind === 'PROGRAM'
        ? await client.query(RetiredProgramsDocument, variables, { requestPolicy: 'network-only' })
        : await client.query(RetiredBranchesDocument, variables, { requestPolicy: 'network-only' });
    if (data === undefined) return { ids, error };
    const { nodes, pageInfo } = 'programsConnection' in data ? data.programsConnection : data.branchesConnection;
    ids.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && ids.length < idsMax);
  return { ids };
}
