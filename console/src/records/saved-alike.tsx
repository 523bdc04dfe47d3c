import type { Client } from '@urql/core';
import * as z from 'zod/mini';
import type { SavedAlike } from '../api/warnings.ts';
import type { OfferedUndo } from '../bulk/use-undo.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { RecordLink } from '../links/record-link.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { AlikeDocument } from './documents.generated.ts';

const valuesSchema = z.record(z.string(), z.unknown());

/**
 * Says that a record was saved with the code or name of another one, which it names, and offers to undo that. Says nothing
 * of others that were deleted meanwhile.
 */
export async function saySavedAlike(
  client: Client,
  alike: SavedAlike,
  undoOffered: (offered: OfferedUndo) => void,
): Promise<void> {
  const { kind, id, name, field, others } = alike;
  const isProgram = kind === 'PROGRAM';
  const variables = { id, others: [...others], isProgram };
  const { data } = await client.query(AlikeDocument, variables, { requestPolicy: 'network-only' });
  const [other, ...more] = (data?.programsConnection ?? data?.branchesConnection)?.nodes ?? [];
  if (other === undefined) return;
  const saves = (data?.program ?? data?.branch)?.history.nodes ?? [];
  // Another save may have followed.
  const save = saves.find(({ after }) => valuesSchema.safeParse(after).data?.[field] === alike[field]);
  const text = t.rich('records.savedAlike', {
    ...{ kind, name, by: field, other: other.name, more: more.length, bdi },
    near: other[field] === alike[field] ? 'no' : 'yes',
    record: (link) => (
      <RecordLink kind={kind} id={other.id}>
        {link}
      </RecordLink>
    ),
  });
  const { changeId } = save ?? {};
  const undo = changeId !== undefined && {
    ...{ label: t('common.undo'), changeId },
    run: () => undoOffered({ changeId, text }),
  };
  toast(text, undo || undefined);
}
