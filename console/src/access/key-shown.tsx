import { CopyButton } from '../components/copy-button.tsx';
import { Overlay } from '../components/overlay.tsx';

/** Shows a new key once: the service stores only its hash. */
export function KeyShown({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  return (
    <Overlay title="The new key">
      <p className="notice warn">
        <span>Copy it now: it is not shown again.</span>
      </p>
      {/* A field would cut the key on a phone, and hides the underscore in some fonts. */}
      <section aria-label="key">
        <code className="secret">{secret}</code>
      </section>
      <div className="actions">
        <CopyButton text={secret} name="Copy the key" />
        <button type="button" className="button primary" onClick={close}>
          I have copied it
        </button>
      </div>
    </Overlay>
  );
}
