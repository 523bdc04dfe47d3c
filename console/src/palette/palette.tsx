import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { FindList } from '../find/find-list.tsx';
import { useFound } from '../find/use-found.ts';
import { recordRoute } from '../records/record-route.ts';
import { signOut } from '../session/session.ts';
import { type Rights, useRights } from '../session/viewer.tsx';
import { screensFor } from '../shell/screens.ts';

interface PaletteProps {
  /** The text that was typed while this file was loading. */
  readonly typedEarly: RefObject<string>;
  readonly close: () => void;
  readonly openHelp: () => void;
}

interface Command {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly run: () => void;
}

export function Palette({ typedEarly, close, openHelp }: PaletteProps) {
  const [text, setText] = useState(() => typedEarly.current);
  useEffect(() => {
    // Includes keys since the first render; from now on the field has the focus.
    setText(typedEarly.current);
    typedEarly.current = '';
  }, [typedEarly]);
  const navigate = useNavigate();
  const rights = useRights();
  const commands = useCommands(rights, openHelp);
  const words = text.trim().toLowerCase().split(/\s+/);
  const matching = commands.filter(({ name, about }) =>
    words.every((word) => `${name} ${about}`.toLowerCase().includes(word)),
  );
  // Without the permission to read programs, only branches are found.
  const records = useFound(text.trim(), { programs: rights.canRead, branches: true });
  const found = records.found.map(({ kind, id, name, about }) => ({
    id: `${kind}-${id}`,
    name,
    about,
    run: () => void navigate(recordRoute(kind, id)),
  }));
  const shown = [...matching, ...found];
  const run = (id: string): void => {
    close();
    shown.find((command) => command.id === id)?.run();
  };
  return (
    <ModalOverlay className="overlay top" isOpen isDismissable onOpenChange={close}>
      <Modal className="modal">
        <Dialog className="dialog" aria-label="Command palette">
          <FindList
            label={`Find a page, an action${rights.canRead ? ', a program' : ''} or a branch`}
            text={text}
            onTextChange={setText}
            choices={shown}
            isWaiting={records.isWaiting}
            onChoose={run}
            nothing={records.isWaiting ? 'Searching…' : 'Nothing found. Try other words.'}
          />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useCommands(rights: Rights, openHelp: () => void): Command[] {
  const navigate = useNavigate();
  const screens = screensFor(rights).map(({ to, name, about }) => ({
    id: to,
    name,
    about,
    run: () => void navigate({ to }),
  }));
  const create = {
    id: 'new-program',
    name: 'New program',
    about: 'Create a program',
    run: () => void navigate({ to: '/programs/new' }),
  };
  return [
    ...screens,
    ...(rights.canWrite ? [create] : []),
    { id: 'help', name: 'Keyboard shortcuts', about: 'Show the help', run: openHelp },
    { id: 'sign-out', name: 'Sign out', about: 'In all tabs of this browser', run: () => void signOut() },
  ];
}
