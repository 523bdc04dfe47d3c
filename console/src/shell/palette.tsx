import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { FindList } from '../find/find-list.tsx';
import { useFound } from '../find/use-found.ts';
import { typeAhead } from '../forms/type-ahead.ts';
import { t } from '../language/language.ts';
import { recordRoute } from '../links/record-link.tsx';
import { Overlay } from '../overlays/overlay.tsx';
import { useRights } from '../session/viewer.tsx';
import { screensFor } from './screens.ts';
import { askAndSignOut } from './sign-out.tsx';

export function Palette({ close, openHelp }: { readonly close: () => void; readonly openHelp: () => void }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const { canRead } = useRights();
  const words = text.trim().toLowerCase().split(/\s+/);
  const matching = useCommands(openHelp)
    .filter(({ name, about }) => words.every((word) => `${name} ${about}`.toLowerCase().includes(word)))
    // Those of that name come before those that only have to do with it.
    .toSorted((one, other) => Number(isNamed(other, words)) - Number(isNamed(one, words)));
  // Finds branches alone without the permission to read programs.
  const records = useFound(text.trim(), { programs: canRead, branches: true });
  const found = records.found.map(({ kind, id, name, about }) => ({
    id: `${kind}-${id}`,
    name,
    about,
    run: () => void navigate(recordRoute(kind, id)),
  }));
  const shown = [...matching, ...found];
  return (
    <Overlay title={t('shell.palette')} isTitleHidden className="top" close={close}>
      <FindList
        label={t('shell.find', { canRead: canRead ? 'yes' : 'no' })}
        text={text}
        onTextChange={setText}
        choices={shown}
        isWaiting={records.isWaiting}
        isMore={records.isMore}
        onChoose={(id) => {
          // Nothing beside an open dialog can have the focus.
          flushSync(close);
          shown.find((command) => command.id === id)?.run();
        }}
        nothing={t(records.isWaiting ? 'common.searching' : 'shell.nothingFound')}
      />
    </Overlay>
  );
}

const isNamed = ({ name }: { readonly name: string }, words: readonly string[]): boolean =>
  words.every((word) => name.toLowerCase().includes(word));

function useCommands(openHelp: () => void) {
  const navigate = useNavigate();
  const rights = useRights();
  const screens = screensFor(rights).map((screen) => ({ ...screen, id: screen.to, run: () => void navigate(screen) }));
  const create = {
    id: 'new-program',
    name: t('shell.newProgram'),
    about: t('shell.newProgramAbout'),
    run: () => void navigate({ to: '/programs/new' }).finally(typeAhead(t('field.name'))),
  };
  return [
    ...screens,
    ...(rights.canWrite ? [create] : []),
    { id: 'help', name: t('shell.shortcuts'), about: t('shell.showHelp'), run: openHelp },
    { id: 'sign-out', name: t('shell.signOut'), about: t('shell.inAllTabs'), run: askAndSignOut },
  ];
}
