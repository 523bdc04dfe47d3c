import type { ReactNode } from 'react';
import { ErrorNotice } from '../api/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Sketch } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import type { UsedPageList } from './use-page-list.ts';

type List = Omit<UsedPageList<unknown>, 'loadAll'>;

/** Why a list has no rows: it is loading or could not be loaded, or there are none, as the children say. */
export function ListState({ list, children }: { readonly list: List; readonly children?: ReactNode }) {
  const { items, hasNext, isEmpty, isLoading, isPrevious, error, reload } = list;
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} retry={reload} isShown={!isEmpty} />}
      {items.length === 0 && isLoading && !isPrevious && <Sketch />}
      {items.length === 0 && !isLoading && !hasNext && error === undefined && children}
    </>
  );
}

/** Loads the next page of a list that does not load it by itself. */
export function Earlier({ list: { hasNext, isLoading, loadMore } }: { readonly list: List }) {
  if (!hasNext) return null;
  return (
    <Button isBusy={isLoading} onClick={loadMore}>
      {t('history.earlier')}
    </Button>
  );
}
