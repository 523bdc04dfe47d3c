import { type UseNavigateResult, useNavigate, useRouter } from '@tanstack/react-router';

/**
 * `navigate` for the end of a request: call the result when the request starts. Does not navigate if the user has left
 * the page.
 */
export function useLeaveAfter(): () => UseNavigateResult<string> {
  const navigate = useNavigate();
  const router = useRouter();
  return () => {
    const { pathname } = router.state.location;
    return async (options) => {
      if (router.state.location.pathname === pathname) await navigate(options);
    };
  };
}
