import { RouterProvider } from '@tanstack/react-router';
import { ApiProvider } from './api/api.tsx';
import { Toasts } from './components/toasts.tsx';
import { router } from './router.tsx';

/** Has the router know the screen of the address, without which it shows nothing at first. */
export const findScreen = (): Promise<void> => router.load();

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
