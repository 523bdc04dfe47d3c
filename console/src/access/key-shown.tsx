import { Button } from 'react-aria-components/Button';
import { CodeBlock } from '../components/code-block.tsx';
import { Overlay } from '../components/overlay.tsx';

/** Shows a new key once: the service stores only its hash. */
export function KeyShown({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  return (
    <Overlay title="The new key" close={close} isDismissable={false}>
      <p className="notice warn">
        <span>Copy it now: it is not shown again.</span>
      </p>
      {/* A field would cut the key on a phone, and hides the underscore in some fonts. */}
      <div className="secret">
        <CodeBlock label="key" code={secret} />
      </div>
      <Button className="button primary" onPress={close}>
        I have copied it
      </Button>
    </Overlay>
  );
}
