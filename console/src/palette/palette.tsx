import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useQuery } from 'urql';
import { signOut } from '../session/session.ts';
import { type Rights, useRights } from '../session/viewer.tsx';
import { screensFor } from '../shell/screens.ts';
import { FindProgramsDocument } from './documents.generated.ts';
import './palette.css';

interface PaletteProps {
  readonly close: () => void;
  readonly openHelp: () => void;
}

interface Command {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly run: () => void;
}

const debounceMs = 150;

/** Goes anywhere and begins anything, by typing a few letters of it. */
export function Palette({ close, openHelp }: PaletteProps) {
  const [text, setText] = useState('');
  const rights = useRights();
  const commands = useCommands(rights, openHelp);
  const words = text.trim().toLowerCase().split(/\s+/);
  const matching = commands.filter(({ name, about }) =>
    words.every((word) => `${name} ${about}`.toLowerCase().includes(word)),
  );
  const found = useFoundPrograms(rights.canRead ? text.trim() : '');
  const shown = [...matching, ...found];
  const run = (id: string): void => {
    close();
    shown.find((command) => command.id === id)?.run();
  };
  return (
    <ModalOverlay className="overlay top" isOpen isDismissable onOpenChange={close}>
      <Modal className="modal">
        <Dialog className="palette" aria-label="Command palette">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField className="field" autoFocus>
              <Label className="visually-hidden">Find a page, an action or a program</Label>
              <Input className="input" placeholder="Find a page, an action or a program" />
            </SearchField>
            <Menu
              className="options"
              aria-label="Results"
              items={shown}
              onAction={(id) => run(String(id))}
              renderEmptyState={() => <p className="hint none">Nothing found. Try other words.</p>}
            >
              {({ id, name, about }) => (
                <MenuItem id={id} className="option" textValue={name}>
                  <span className="name-text">{name}</span>
                  <span className="hint name-text">{about}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
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
    { id: 'sign-out', name: 'Sign out', about: 'Forget the key in this tab', run: signOut },
  ];
}

/** The programs whose name or code has the words, once the typing pauses. */
function useFoundPrograms(text: string): Command[] {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const [{ data }] = useQuery({ query: FindProgramsDocument, variables: { search }, pause: search === '' });
  if (search === '' || text === '') return [];
  return (data?.programsConnection.nodes ?? []).map(({ id, name, code, duration }) => ({
    id: `program-${id}`,
    name,
    about: [code, duration].filter(Boolean).join(' · '),
    run: () => void navigate({ to: '/programs/$programId', params: { programId: id } }),
  }));
}
