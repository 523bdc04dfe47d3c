import { Button } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { useListChanges } from '../lists/use-list-changes.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';

/** Reloads the list when others change which records it has; offers it to somebody who has scrolled down. */
export function Behind({
  list: { pageCount, reload },
}: {
  readonly list: Pick<UsedPageList<unknown>, 'pageCount' | 'reload'>;
}) {
  const { isBehind, show } = useListChanges(pageCount <= 1, reload);
  if (!isBehind) return null;
  return (
    <Notice role="status" action={<Button onClick={show}>{t('listBar.showNow')}</Button>}>
      {t('listBar.behind')}
    </Notice>
  );
}
