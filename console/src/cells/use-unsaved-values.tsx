import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useClient } from 'urql';
import { useStreamState } from '../api/api.tsx';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { shortened } from '../format/text.ts';
import { editDraft, hasDrafts, putInDraft } from '../forms/drafts.ts';
import { keepSent } from '../forms/own-saves.ts';
import { randomId } from '../forms/use-draft.ts';
import { useNames } from '../history/use-names.ts';
import { t } from '../language/language.ts';
import { recordRoute } from '../links/record-link.tsx';
import { useSession } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { saveCell } from './save-cell.ts';
import {
  afterSending,
  cellKey,
  isReleasable,
  recordKey,
  released,
  sendableCells,
  type UnsavedCell,
  waiting,
  withoutCell,
} from './unsaved.ts';
import { changeUnsaved, openCell, takeOpenCell, useUnsavedCells } from './unsaved-store.ts';

const retryMs = 5_000;

/** Whether it is said to be unsaved: not of a value that was entered just now. */
const isLeft = ({ waits, problem, by }: UnsavedCell): boolean =>
  waits !== undefined || problem !== undefined || by === null;

/**
 * Saves the values that were entered in cells, again after an outage or in a new session, whatever screen is there.
 * Returns what is not saved yet, and what to do.
 */
export function useUnsavedValues(): ReactNode {
  const cells = useUnsavedCells();
  const client = useClient();
  const navigate = useNavigate();
  const { viewer, isKnown } = useRights();
  const name = viewer.name ?? '';
  const streamState = useStreamState();
  const { rejection } = useSession();
  const names = useNames();
  const textOf = ({ field }: UnsavedCell, value: string): string => names.of(field, value) ?? value;
  const inFlight = useRef(new Set<string>());
  const send = useEffectEvent((withWaiting: boolean) => {
    if (rejection !== null || !isKnown) {
      // It is said to be unsaved.
      if (waiting(cells) !== cells) changeUnsaved(waiting);
      return;
    }
    for (const unsent of sendableCells(cells, name, withWaiting)) {
      const key = recordKey(unsent);
      if (inFlight.current.has(key)) continue;
      inFlight.current.add(key);
      const { tried = { key: randomId(), typed: unsent.typed, version: unsent.version, at: Date.now() } } = unsent;
      const cell = { ...unsent, tried };
      // Also a page that is loaded again before the answer repeats it as it was.
      changeUnsaved((all) => all.map((one) => (cellKey(one) === cellKey(cell) ? { ...one, tried } : one)));
      const ended = keepSent([{ kind: cell.kind, id: cell.id, values: { [cell.field]: tried.typed } }], tried.key);
      void saveCell(client, cell, (value) => textOf(cell, value)).then((outcome) => {
        inFlight.current.delete(key);
        ended('version' in outcome ? outcome.version : 'waits' in outcome ? 0 : null);
        changeUnsaved((all) => afterSending(all, cell, outcome));
      });
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends what was entered.
  useEffect(() => send(false), [cells]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends when the service or the session is back.
  useEffect(() => {
    send(true);
    const timer = setInterval(() => send(true), retryMs);
    return () => clearInterval(timer);
  }, [client, isKnown, streamState, rejection]);
  useEffect(takeOpenCell, []);
  useAskBeforeLeaving(hasDrafts);
  const left = cells.filter(isLeft);
  if (left.length === 0) return null;
  /** Where its list is on the screen, in the cell; else in the form of the record. */
  const edit = (cell: UnsavedCell): void => {
    if (openCell(cell)) return;
    putInDraft(editDraft(cell.kind, cell.id), cell.field, cell.typed, cell.name, cell.known[0]);
    changeUnsaved((all) => withoutCell(all, cell));
    void navigate(recordRoute(cell.kind, cell.id));
  };
  return (
    <div className="toast unsaved">
      <div role="status">
        {t('cells.unsaved', { count: left.length })}
        <ul>
          {left
            .filter(({ problem }) => problem !== undefined)
            .map((cell) => (
              <li key={cellKey(cell)}>
                {t('cells.rejected', {
                  row: cell.name,
                  column: cell.heading,
                  typed: shortened(textOf(cell, cell.typed)),
                  problem: cell.problem ?? '',
                })}{' '}
                <CopyButton text={cell.typed} name={t('cells.copyIt')} />
                <Button look="quiet" onClick={() => edit(cell)}>
                  {t('cells.editIt')}
                </Button>
                <Button look="quiet" onClick={() => changeUnsaved((all) => withoutCell(all, cell))}>
                  {t('cells.giveUp')}
                </Button>
              </li>
            ))}
        </ul>
      </div>
      {left.some(isReleasable) && (
        <Button onClick={() => changeUnsaved((all) => released(all, name))}>
          {t('cells.saveThem', { count: left.filter(isReleasable).length })}
        </Button>
      )}
    </div>
  );
}
