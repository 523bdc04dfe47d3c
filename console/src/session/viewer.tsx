import { createContext, type ReactNode, use, useDeferredValue, useRef } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../components/notices.tsx';
import { ViewerDocument, type ViewerQuery } from './documents.generated.ts';

type Viewer = ViewerQuery['viewer'];

const ViewerContext = createContext<Viewer | null>(null);

interface ViewerProviderProps {
  /** What is shown until the service has said who the caller is. */
  readonly outline: ReactNode;
  readonly children: ReactNode;
}

/** Loads who the caller is, and what may be offered to them. */
export function ViewerProvider({ outline, children }: ViewerProviderProps) {
  const [{ data, error }, reload] = useQuery({ query: ViewerDocument, requestPolicy: 'cache-first' });
  // Another key has another client: until it has its response, the screen stays as it is, with what was typed.
  const known = useRef<Viewer | null>(null);
  if (data !== undefined) known.current = data.viewer;
  // Deferred, the first rendering of a screen is done in short steps.
  const viewer = useDeferredValue(known.current);
  if (viewer === null) {
    return error === undefined ? outline : <ErrorNotice error={error} retry={() => reload()} />;
  }
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

export interface Rights {
  readonly viewer: Viewer;
  readonly canRead: boolean;
  /** May change, delete and restore programs and branches. */
  readonly canWrite: boolean;
  /** May see who changed a record; a read-only key may, too. */
  readonly canSeeHistory: boolean;
  /** May create branches, as every user. */
  readonly canCreateBranches: boolean;
  readonly canAdminister: boolean;
  /** Administers, and with a key that may change something. */
  readonly canManageAccess: boolean;
}

/** What the caller may do; a read-only key changes nothing, whatever its user may. */
export function useRights(): Rights {
  const viewer = use(ViewerContext);
  if (viewer === null) throw new Error('There is no ViewerProvider around this component.');
  return rightsOf(viewer);
}

function rightsOf(viewer: Viewer): Rights {
  const has = (permission: string): boolean => viewer.permissions.includes(permission);
  return {
    viewer,
    canRead: has('programs:read'),
    canWrite: has('programs:write') && !viewer.readOnly,
    canSeeHistory: has('programs:write'),
    canCreateBranches: !viewer.readOnly,
    canAdminister: has('admin'),
    canManageAccess: has('admin') && !viewer.readOnly,
  };
}
