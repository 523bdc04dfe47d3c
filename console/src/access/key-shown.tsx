import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';

/** Shows a new key once: the service stores only its hash. */
export function KeyShown({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  return (
    <Overlay title={t('access.newKey')}>
      <Notice>{t('access.copyNow')}</Notice>
      {/* A field would cut the key on a phone, and hides the underscore in some fonts. */}
      <section aria-label={t('access.secret')}>
        <code className="secret">{secret}</code>
      </section>
      <div className="actions">
        <CopyButton text={secret} name={t('access.copyKey')} />
        <Button look="primary" onClick={close}>
          {t('access.haveCopied')}
        </Button>
      </div>
    </Overlay>
  );
}
