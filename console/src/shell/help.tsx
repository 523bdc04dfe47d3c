import { Button } from '../components/button.tsx';
import { keyLabel } from '../format/key-label.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { type Rights, useRights } from '../session/viewer.tsx';

interface Shortcut {
  readonly keys: readonly string[];
  /** Whether the keys are pressed in sequence; otherwise they are alternatives. */
  readonly isSequence?: boolean;
  readonly does: string;
  readonly isOffered?: (rights: Rights) => boolean;
}

const canRead = (rights: Rights): boolean => rights.canRead;
const canWrite = (rights: Rights): boolean => rights.canWrite;

const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K', '⌘K'], does: t('shell.doesPalette') },
  { keys: ['/'], does: t('shell.doesSearch') },
  { keys: ['G', 'O'], isSequence: true, does: t('shell.doesOverview'), isOffered: canRead },
  { keys: ['G', 'P'], isSequence: true, does: t('shell.doesPrograms'), isOffered: canRead },
  { keys: ['G', 'E'], isSequence: true, does: t('shell.doesEditions'), isOffered: canRead },
  { keys: ['N'], does: t('shell.newProgram'), isOffered: canWrite },
  { keys: ['↑', '↓', '←', '→'], does: t('shell.doesMove') },
  { keys: ['Home', 'End'], does: t('shell.doesEnds') },
  { keys: ['Shift ←', 'Shift →'], does: t('shell.doesWidth') },
  { keys: ['Enter', 'F2'], does: t('shell.doesEdit'), isOffered: canWrite },
  { keys: ['J', 'K'], does: t('shell.doesBeside') },
  { keys: ['X', 'Shift ↓', 'Ctrl A'], does: t('shell.doesSelect'), isOffered: canWrite },
  { keys: ['Ctrl C', 'Ctrl V'], does: t('shell.doesCopy'), isOffered: canWrite },
  { keys: ['Ctrl D'], does: t('shell.doesFill'), isOffered: canWrite },
  { keys: ['Ctrl Z', '⌘Z'], does: t('shell.doesUndo'), isOffered: canWrite },
  { keys: ['Ctrl Y', 'Ctrl Shift Z'], does: t('shell.doesRedo'), isOffered: canWrite },
  { keys: ['Ctrl Enter'], does: t('forms.addAnother'), isOffered: canWrite },
  { keys: ['?'], does: t('shell.doesHelp') },
  { keys: ['F6'], does: t('shell.doesRegions') },
];

const shortcutsFor = (rights: Rights): Shortcut[] => shortcuts.filter(({ isOffered }) => isOffered?.(rights) ?? true);

export function Help({ close }: { readonly close: () => void }) {
  const rights = useRights();
  return (
    <Overlay title={t('shell.shortcuts')} close={close}>
      <dl className="stack shortcuts">
        {shortcutsFor(rights).map(({ keys, does, isSequence = false }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && ` ${t(isSequence ? 'shell.thenKey' : 'shell.orKey')} `}
                  <kbd>{keyLabel(key)}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Button onClick={close}>{t('common.close')}</Button>
    </Overlay>
  );
}
