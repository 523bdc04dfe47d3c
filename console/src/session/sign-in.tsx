import { inService } from '../api/service-address.ts';
import { Drawing } from '../components/notices.tsx';
import { takeSignInFailure } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Why a sign-in at the identity provider led to nothing. */
const failures: Readonly<Record<string, string>> = {
  'no-role': 'Your account has no role in this service. Ask an administrator for one.',
  disabled: 'Your user is disabled in this service. An administrator can enable it again.',
  cancelled: 'The sign-in was cancelled, or your university account may not use this service.',
  failed: 'The sign-in was not completed: it took too long, or was begun in another browser. Try again.',
  away: 'The sign-in service of the university cannot be reached. Try again in a moment, or use a key.',
  misconfigured:
    'This service and the sign-in service of the university do not understand each other. It is not your fault: tell an administrator, whose log has the reason. Keys still work.',
};

const failure = failures[takeSignInFailure() ?? ''];

export function SignIn({ reason }: { readonly reason: string | null }) {
  return (
    <main className="sign-in">
      <header>
        <Drawing />
        <h1>Academic Structure</h1>
        <p>The programs of the university, their branches, and the years of each.</p>
      </header>
      <section className="card" aria-labelledby="sign-in-title">
        <h2 id="sign-in-title">Sign in</h2>
        {failure !== undefined && (
          <p role="alert" className="notice warn">
            {failure}
          </p>
        )}
        <SignInForm reason={reason} />
      </section>
      <p className="hint">
        An administrator issues keys, on the command line too: <code>npm run -s cli -- keys create --user admin</code>.
        The first start of the service prints one. <a href={inService('/')}>About the service</a>
      </p>
    </main>
  );
}
