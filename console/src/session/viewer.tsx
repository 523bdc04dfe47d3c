import { createContext, type ReactNode, use, useMemo, useRef } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { type Permission, ViewerDocument, type ViewerQuery } from './documents.generated.ts';

type Viewer = ViewerQuery['viewer'];

const ViewerContext = createContext<Rights | null>(null);

interface ViewerProviderProps {
  /** What is shown until the viewer is loaded, around why it could not be. */
  readonly frame: (problem?: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/** Loads the caller and their permissions. */
export function ViewerProvider({ frame, children }: ViewerProviderProps) {
  const [{ data, error, fetching }, reload] = useQuery({ query: ViewerDocument, requestPolicy: 'cache-first' });
  // A new key has a new client. The screen stays with the typed text until it has its response.
  const known = useRef<Viewer | null>(null);
  if (data !== undefined) known.current = data.viewer;
  const viewer = known.current;
  const rights = useMemo(() => viewer && rightsOf(viewer, !fetching), [viewer, fetching]);
  if (rights === null) {
    return frame(error && <ErrorNotice error={error} retry={() => reload()} isPage />);
  }
  return <ViewerContext value={rights}>{children}</ViewerContext>;
}

/** The rights of the caller, narrowed by a read-only key. */
export function useRights(): Rights {
  const rights = use(ViewerContext);
  if (rights === null) throw new Error('There is no ViewerProvider around this component.');
  return rights;
}

function rightsOf(viewer: Viewer, isKnown: boolean) {
  const has = (permission: Permission): boolean => viewer.permissions.includes(permission);
  return {
    viewer,
    /** Whether they are those of this session, not of the one before. */
    isKnown,
    canRead: has('PROGRAMS_READ'),
    /** May change, delete and restore programs and branches. */
    canWrite: has('PROGRAMS_WRITE') && !viewer.readOnly,
    /** A read-only key may, too. */
    canSeeHistory: has('PROGRAMS_WRITE'),
    /** Every user may. */
    canCreateBranches: !viewer.readOnly,
    canAdminister: has('ADMIN'),
    /** Whether they have keys and sessions: a token without a role has none. */
    isUser: viewer.role !== null,
    /** Whether they manage their own keys and sessions: with a key that is not read-only. */
    canManageKeys: viewer.role !== null && !viewer.readOnly,
    /** Whether they manage users and all keys: with a key that is not read-only. */
    canManageAccess: has('ADMIN') && !viewer.readOnly,
  };
}

export type Rights = ReturnType<typeof rightsOf>;
export type Right = Exclude<keyof Rights, 'viewer' | 'isKnown'>;
