import { Button } from '../components/button.tsx';
import { keyLabel } from '../format/key-label.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { useRights } from '../session/viewer.tsx';
import { shortcutsFor } from './shortcuts.ts';

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
