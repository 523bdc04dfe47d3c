import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Form } from 'react-aria-components/Form';
import { TextField } from '../components/fields.tsx';
import { signIn } from './session.ts';

interface KeyFormProps {
  /** Why the previous session was rejected. */
  readonly reason: string | null;
}

/** Signs in with a key that the service accepts. */
export function KeyForm({ reason }: KeyFormProps) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(reason);
  const [isChecking, setIsChecking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // `autoFocus` of React Aria comes a moment after the first paint, too late for an Enter that is pressed at once.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = async (): Promise<void> => {
    if (key.trim() === '') {
      setProblem('Paste a key or a token first.');
      return;
    }
    setIsChecking(true);
    const found = await signIn(key.trim());
    setIsChecking(false);
    setProblem(found);
  };
  return (
    <Form
      ref={form}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChecking) void submit();
      }}
    >
      <TextField
        label="API key or token"
        description="You stay signed in in this browser, for 12 hours after the last use."
        type="password"
        autoComplete="off"
        isRequired
        value={key}
        onChange={(value) => {
          setKey(value);
          setProblem(null);
        }}
        {...(problem !== null && { problem })}
      />
      <Button type="submit" className="button primary" isPending={isChecking}>
        {isChecking ? 'Checking…' : 'Sign in'}
      </Button>
    </Form>
  );
}
