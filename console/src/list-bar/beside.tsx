import { Link, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useRef, useSyncExternalStore } from 'react';
import { nouns } from '../bulk/words.ts';
import { usePassFocus } from '../components/focus.ts';
import { IsBeside } from '../components/page-title.tsx';
import { recordRoute } from '../records/record-link.tsx';
import { loadable } from '../shell/screen-error.tsx';
import type { RowKind } from '../table/row.tsx';

const views = {
  PROGRAM: lazyRouteComponent(loadable(async () => (await import('../program/program-screen.tsx')).Program)),
  BRANCH: lazyRouteComponent(loadable(async () => (await import('../branch/branch-screen.tsx')).BranchById)),
};

interface BesideProps {
  readonly kind: RowKind;
  readonly id: number;
  readonly close: () => void;
}

/** A record beside the list that it was opened from. */
export function Beside({ kind, id, close }: BesideProps) {
  const panel = useRef<HTMLElement>(null);
  usePassFocus(panel, '.row[aria-current] a');
  const View = views[kind];
  return (
    <section ref={panel} className="beside" tabIndex={-1} aria-label={`The ${nouns[kind].one} beside the list`}>
      <div className="actions">
        <Link {...recordRoute(kind, id)} className="button quiet">
          Open as a page
        </Link>
        <button type="button" className="button quiet" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      <IsBeside value>
        <Suspense>
          <View key={id} id={id} />
        </Suspense>
      </IsBeside>
    </section>
  );
}

const wide = matchMedia('(min-width: 80rem)');

/** Whether the window has room for a record beside the list. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      wide.addEventListener('change', changed);
      return () => wide.removeEventListener('change', changed);
    },
    () => wide.matches,
  );
