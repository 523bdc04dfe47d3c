import { useState } from 'react';
import { FindList } from '../find/find-list.tsx';
import { useFound } from '../find/use-found.ts';
import { t } from '../language/language.ts';

/** Finds the program that branches move to. */
export function ChooseProgram({ choose }: { readonly choose: (id: number) => void }) {
  const [text, setText] = useState('');
  const { found, isWaiting, isMore } = useFound(text.trim(), { programs: true, branches: false });
  const nothing = t(isWaiting ? 'common.searching' : 'bulk.noProgram');
  return (
    <FindList
      label={t('bulk.programNameOrCode')}
      text={text}
      onTextChange={setText}
      choices={found.map((program) => ({ ...program, id: String(program.id) }))}
      isWaiting={isWaiting}
      isMore={isMore}
      onChoose={(id) => choose(Number(id))}
      nothing={text.trim() === '' ? t('bulk.typePart') : nothing}
    />
  );
}
