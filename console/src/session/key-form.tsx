import { useLayoutEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Form } from 'react-aria-components/Form';
import { TextField } from '../components/fields.tsx';
import { takeEarlyKey } from './early-key.ts';
import { signIn } from './session.ts';

interface KeyFormProps {
  /** Why the key before this one was rejected. */
  readonly reason: string | null;
  readonly onType?: () => void;
}

/** Checks a key with the service, and stores it when it is accepted. */
export function KeyForm({ reason, onType }: KeyFormProps) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(reason);
  const [isChecking, setIsChecking] = useState(false);
  // Not its first state: until React puts the form in its place, somebody may type on.
  useLayoutEffect(() => {
    const typed = takeEarlyKey();
    if (typed === '') return;
    setKey(typed);
    onType?.();
  }, [onType]);
  const submit = async (): Promise<void> => {
    if (key.trim() === '') {
      setProblem('Paste a key or a token first.');
      return;
    }
    setIsChecking(true);
    const { checkKey } = await import('./check-key.ts');
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
          onType?.();
        }}
        {...(problem !== null && { problem })}
      />
      <Button type="submit" className="button primary" isPending={isChecking}>
        {isChecking ? 'Checking…' : 'Sign in'}
      </Button>
    </Form>
  );
}
