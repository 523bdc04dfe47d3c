import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation } from 'urql';
import { describeError, isDone } from '../api/errors.ts';
import { Overlay } from '../components/overlay.tsx';
import { toast, toastOutcome, toastText } from '../components/toast-queue.ts';
import { FindList } from '../find/find-list.tsx';
import { useFoundPrograms } from '../find/use-found.ts';
import { type BranchFieldsFragment, UpdateBranchDocument } from './documents.generated.ts';

interface MoveBranchProps {
  readonly branch: Pick<BranchFieldsFragment, 'id' | 'name' | 'version'>;
  /** Its current program. */
  readonly programId: number;
  readonly close: () => void;
}

/** Moves a branch to another program, with a toast that can undo it. */
export function MoveBranch({ branch: { id, name, version }, programId, close }: MoveBranchProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [{ fetching }, update] = useMutation(UpdateBranchDocument);
  const { found, isWaiting } = useFoundPrograms(text.trim());
  const others = found.filter((program) => program.id !== programId);
  const undo = async (): Promise<void> => {
    const { error } = await update({ id, input: { programId } });
    toastOutcome(error, toastText`${name} is back where it was.`);
  };
  const move = async (target: number): Promise<void> => {
    if (fetching) return;
    const { data, error } = await update({ id, input: { programId: target, expectedVersion: version } });
    setProblem(error === undefined ? null : describeError(error));
    if (!isDone(data)) return;
    toast(toastText`${name} was moved to ${data.updateBranch.program.name}.`, {
      label: 'Undo',
      run: () => void undo(),
    });
    close();
  };
  return (
    <Overlay title="Move to another program" close={close}>
      <p className="name-text">
        {name} leaves its program, with its years, for the one that you choose. It can be undone.
      </p>
      {problem !== null && (
        <p role="alert" className="notice bad">
          <span>{problem}</span>
        </p>
      )}
      <FindList
        label="Name or code of the program"
        text={text}
        onTextChange={setText}
        choices={others.map((program) => ({ ...program, id: String(program.id) }))}
        isWaiting={isWaiting}
        onChoose={(target) => void move(Number(target))}
        nothing={nothingFor(text.trim(), isWaiting)}
      />
      <Button className="button" onPress={close}>
        Cancel
      </Button>
    </Overlay>
  );
}

function nothingFor(text: string, isWaiting: boolean): string {
  if (text === '') return 'Type a part of it.';
  return isWaiting ? 'Searching…' : 'No other program matches. Try fewer words.';
}
