import { Button } from 'react-aria-components/Button';
import { CopyButton } from '../components/copy-button.tsx';
import { TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';

/** A new key, this once: the service stores only its hash. */
export function KeyShown({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  return (
    <Overlay title="The new key" close={close} isDismissable={false}>
      <p className="notice warn">
        <span>Copy it now: it is not shown again.</span>
      </p>
      <div className="inline secret">
        <TextField label="Key" value={secret} isReadOnly />
        <CopyButton text={secret} label="Copy the key" />
      </div>
      <Button className="button primary" onPress={close}>
        I have copied it
      </Button>
    </Overlay>
  );
}
