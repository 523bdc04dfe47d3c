import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { Confirm } from '../components/confirm.tsx';
import { pluralize } from '../format/text.ts';
import { UndoImportDocument, type UndoImportMutation } from './documents.generated.ts';

interface UndoImportProps {
  readonly changeId: string;
  readonly fileName: string;
  /** Whether it has been undone: then only the result is shown to who did it. */
  readonly isUndone?: boolean;
  readonly onUndone?: () => void;
}

/** Undoes an import, and says what was undone, and what was left and why. */
export function UndoImport({ changeId, fileName, isUndone = false, onUndone }: UndoImportProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [{ data, error, fetching }, undo] = useMutation(UndoImportDocument);
  const run = async (): Promise<void> => {
    const result = await undo({ changeId });
    if (result.error === undefined) onUndone?.();
  };
  return (
    <div className="actions">
      {!isUndone && data?.undoChange == null && (
        <Button
          className="button"
          isPending={fetching}
          aria-label={`Undo the import of ${fileName}`}
          onPress={() => setIsAsking(true)}
        >
          {fetching ? 'Undoing…' : 'Undo this import'}
        </Button>
      )}
      <div role="status">
        {data?.undoChange != null && <Undone {...data.undoChange} />}
        {error !== undefined && <p className="notice bad">{describeError(error)}</p>}
      </div>
      {isAsking && (
        <Confirm
          title={`Undo the import of ${fileName}?`}
          action="Undo this import"
          run={() => void run()}
          close={() => setIsAsking(false)}
        >
          What it created is deleted, and what it changed is as before. Records that somebody has changed since stay as
          they are, and are listed.
        </Confirm>
      )}
    </div>
  );
}

function Undone({ undone, left, leftCount }: NonNullable<UndoImportMutation['undoChange']>) {
  const isNothing = undone === 0;
  return (
    <div className={isNothing ? 'notice warn' : 'notice good'}>
      <p>
        {isNothing ? 'Nothing was undone. ' : `${pluralize(undone, 'record is', 'records are')} as before the import. `}
        {leftCount > 0 && `${pluralize(leftCount, 'record was left as it is', 'records were left as they are')}:`}
      </p>
      {left.length > 0 && (
        <ul className="left">
          {left.map(({ kind, id, message }) => (
            <li key={`${kind} ${id}`}>
              {message}{' '}
              {kind === 'PROGRAM' ? (
                <Link to="/programs/$programId" params={{ programId: id }} aria-label={`See program ${id}`}>
                  See it
                </Link>
              ) : (
                <Link to="/branches/$branchId" params={{ branchId: id }} aria-label={`See branch ${id}`}>
                  See it
                </Link>
              )}
            </li>
          ))}
          {left.length < leftCount && <li>and {pluralize(leftCount - left.length, 'more', 'more')}</li>}
        </ul>
      )}
    </div>
  );
}
