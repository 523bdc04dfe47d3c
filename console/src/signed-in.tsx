import { RouterProvider } from '@tanstack/react-router';
import { ApiProvider } from './api/api.tsx';
import { Toasts } from './components/toasts.tsx';
import { router } from './router.tsx';

/** The screens, for a key. */
export function SignedIn({ sessionKey }: { readonly sessionKey: string }) {
  return (
    <>
      <ApiProvider sessionKey={sessionKey}>
        <RouterProvider router={router} />
      </ApiProvider>
      <Toasts />
    </>
  );
}
