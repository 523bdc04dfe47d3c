import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { InSidePanel } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { type RecordReference, recordRoute } from '../links/record-link.tsx';

/** A record by its id, as on its page. */
export type RecordById = ComponentType<{ readonly id: number }>;

interface SidePanelProps extends RecordReference {
  readonly View: RecordById;
  readonly close: () => void;
}

/** A record beside the list that it was opened from; a narrow window goes to its page. */
export function SidePanel({ kind, id, View, close }: SidePanelProps) {
  const navigate = useNavigate();
  const isWide = useIsWide();
  useEffect(() => {
    if (!isWide) void navigate({ ...recordRoute(kind, id), replace: true });
  }, [id, isWide, kind, navigate]);
  if (!isWide) return null;
  return (
    <section className="side-panel" tabIndex={-1} aria-label={t('listBar.beside', { kind })}>
      <div className="actions">
        <Link {...recordRoute(kind, id)} className="button quiet">
          {t('listBar.openAsPage')}
        </Link>
        <Button look="quiet" aria-label={t('common.close')} onClick={close}>
          ×
        </Button>
      </div>
      <InSidePanel value>
        <Suspense>
          <View key={id} id={id} />
        </Suspense>
      </InSidePanel>
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
