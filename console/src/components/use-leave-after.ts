import { type UseNavigateResult, useNavigate, useRouter } from '@tanstack/react-router';

/**
 * For what takes time and then leads elsewhere. Call the result when it begins; it gives a `navigate` for when it is
 * done, which leads nobody away who has gone elsewhere meanwhile.
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
