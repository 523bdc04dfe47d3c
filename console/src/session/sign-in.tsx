import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Form } from 'react-aria-components/Form';
import { TextField } from '../components/fields.tsx';
import { checkKey } from './check-key.ts';
import { signIn } from './session.ts';
import './sign-in.css';

/** The page for callers whom the service does not know yet. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  return (
    <main className="sign-in">
      <header>
        <img src="/favicon.ico" alt="" width="44" height="44" />
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

/** Checks a key with the service, and stores it when it is accepted. */
export function KeyForm({ reason }: { readonly reason: string | null }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(reason);
  const [isChecking, setIsChecking] = useState(false);
  const submit = async (): Promise<void> => {
    setIsChecking(true);
    const found = await checkKey(key.trim());
    setIsChecking(false);
    setProblem(found);
    if (found === null) signIn(key.trim());
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChecking) void submit();
      }}
    >
      <TextField
        label="API key or token"
        description="It stays in this tab, and is forgotten when the tab is closed."
        type="password"
        autoFocus
        autoComplete="off"
        isRequired
        value={key}
        onChange={(value) => {
          setKey(value);
          setProblem(null);
        }}
        {...(problem !== null && { problem })}
      />
      <Button type="submit" className="button primary" isPending={isChecking} isDisabled={key.trim() === ''}>
        {isChecking ? 'Checking…' : 'Sign in'}
      </Button>
    </Form>
  );
}
