import { inService } from '../api/service-address.ts';
import { Drawing, Notice } from '../components/notices.tsx';
import { t, textNamed } from '../language/language.ts';
import { code } from '../language/tags.ts';
import { takeSignInFailure, useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Why a sign-in at the identity provider led to nothing. */
const failure = textNamed(`signInFailure.${takeSignInFailure()}`);

export function SignIn({ reason }: { readonly reason: string | null }) {
  const { stillSignedIn } = useSession();
  return (
    <main className="sign-in">
      <header>
        <Drawing />
        <h1>{t('session.title')}</h1>
        <p>{t('session.about')}</p>
      </header>
      <section className="card" aria-labelledby="sign-in-title">
        <h2 id="sign-in-title">{t('session.signIn')}</h2>
        {failure !== undefined && <Notice>{failure}</Notice>}
        {stillSignedIn?.stillSignedInAt !== undefined && (
          <div role="status" className="notice warn">
            <span>{t('session.stillSignedInAt', { host: stillSignedIn.stillSignedInAt })}</span>
            {stillSignedIn.signOut !== undefined && (
              <a className="button" href={stillSignedIn.signOut}>
                {t('session.signOutThere', { host: stillSignedIn.stillSignedInAt })}
              </a>
            )}
          </div>
        )}
        <SignInForm reason={reason} />
      </section>
      <p className="hint">
        {t.rich('session.issuedBy', {
          command: 'npm run -s cli -- keys create --user admin',
          code,
          link: (text) => <a href={inService('/')}>{text}</a>,
        })}
      </p>
    </main>
  );
}
