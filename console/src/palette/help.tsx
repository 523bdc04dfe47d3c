import { Button } from 'react-aria-components/Button';
import { Overlay } from '../components/overlay.tsx';
import { shortcuts } from '../shell/shortcuts.ts';
import './palette.css';

/** The shortcuts of the keyboard. */
export function Help({ close }: { readonly close: () => void }) {
  return (
    <Overlay title="Keyboard shortcuts" close={close}>
      <dl className="shortcuts">
        {shortcuts.map(({ keys, does, ...rest }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && ('isSequence' in rest ? ' then ' : ' or ')}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
        <div>
          <dt>Move in a list of programs</dt>
          <dd>
            <kbd>↑</kbd> or <kbd>↓</kbd>
          </dd>
        </div>
        <div>
          <dt>Go to the messages, and back</dt>
          <dd>
            <kbd>F6</kbd>
          </dd>
        </div>
      </dl>
      <Button className="button" onPress={close}>
        Close
      </Button>
    </Overlay>
  );
}
