import { Logo } from '../shell/logo.tsx';
import { KeyForm } from './key-form.tsx';

export function SignIn({ reason }: { readonly reason: string | null }) {
  return (
    <main className="sign-in">
      <header>
        <Logo size={44} />
        <h1>Academic structure</h1>
        <p>The programs of the university, their branches, and the years of each.</p>
      </header>
      <section className="card" aria-labelledby="sign-in-title">
        <h2 id="sign-in-title">Sign in</h2>
        <KeyForm reason={reason} />
      </section>
      <p className="hint">
        An administrator issues keys, on the command line too: <code>npm run -s cli -- keys create --user admin</code>.
        The first start of the service prints one. <a href="/">About the service</a>
      </p>
    </main>
  );
}
