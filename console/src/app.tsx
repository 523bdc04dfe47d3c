import { RouterProvider } from '@tanstack/react-router';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ApiProvider } from './api/api.tsx';
import { Toasts } from './components/toasts.tsx';
import { router } from './router.tsx';
import { useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';

/** Without an accepted key the sign-in, with one the screens. */
export function App() {
  const { key, rejection, established } = useSession();
  const needsKey = key === '' || (rejection !== null && !established);
  return (
    <I18nProvider locale="en-US">
      {needsKey ? (
        <SignIn reason={rejection} />
      ) : (
        <ApiProvider sessionKey={key}>
          <RouterProvider router={router} />
        </ApiProvider>
      )}
      <Toasts />
    </I18nProvider>
  );
}
