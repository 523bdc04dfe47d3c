import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { providerAddress, signIn, useSession } from './session.ts';

/** Signs in with the account of the university, where there is one, or with a key that the service accepts. `reason`: why the previous session was rejected. */
export function SignInForm({ reason }: { readonly reason: string | null }) {
  const { hasProvider } = useSession();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(reason);
  const [isChecking, setIsChecking] = useState(false);
  const submit = async (): Promise<void> => {
    if (key.trim() === '') {
      setProblem(t('session.pasteFirst'));
      return;
    }
    setIsChecking(true);
    const found = await signIn(key.trim());
    setIsChecking(false);
    setProblem(found);
  };
  return (
    <>
      {hasProvider && (
        <a className="button primary" href={providerAddress()}>
          {t('session.withAccount')}
        </a>
      )}
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isChecking) void submit();
        }}
      >
        <TextField
          label={t('session.keyOrToken')}
          description={t('session.staysSignedIn')}
          isRequired
          autoFocus
          input={{ type: 'password', autoComplete: 'off' }}
          value={key}
          onChange={(value) => {
            setKey(value);
            setProblem(null);
          }}
          problem={problem ?? undefined}
        />
        <Button type="submit" look="primary" isBusy={isChecking}>
          {t(isChecking ? 'common.checking' : 'session.signIn')}
        </Button>
      </form>
    </>
  );
}
