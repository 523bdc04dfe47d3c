import { Overlay } from '../components/overlay.tsx';
import { useRights } from '../session/viewer.tsx';
import { shortcutsFor } from '../shell/shortcuts.ts';

export function Help({ close }: { readonly close: () => void }) {
  const rights = useRights();
  return (
    <Overlay title="Keyboard shortcuts" close={close}>
      <dl className="stack shortcuts">
        {shortcutsFor(rights).map(({ keys, does, isSequence = false }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && (isSequence ? ' then ' : ' or ')}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={close}>
        Close
      </button>
    </Overlay>
  );
}
