import { EmptyState } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { useIsImporting } from '../transfer/import-state.ts';
import { isFiltered, type ProgramsSearch } from './search.ts';

/** Nothing matches, or the catalog is empty. */
export function NoPrograms({ search }: { readonly search: ProgramsSearch }) {
  if (!isFiltered(search)) return <FirstSteps />;
  return (
    <EmptyState
      title={t('programs.noMatch')}
      about={t('common.fewerWords')}
      ways={[
        { to: '/programs', text: t('programs.showAll') },
        search.q !== undefined && { to: '/branches', search: { q: search.q }, text: t('programs.searchBranches') },
      ]}
    />
  );
}

export function FirstSteps() {
  const { canWrite } = useRights();
  const isImporting = useIsImporting();
  if (isImporting)
    return (
      <EmptyState
        title={t('programs.importing')}
        about={t('programs.importingAbout')}
        ways={[{ to: '/transfer', text: t('programs.seeImport') }]}
      />
    );
  if (!canWrite) return <EmptyState title={t('programs.empty')} about={t('programs.appears')} />;
  return (
    <EmptyState
      title={t('programs.emptyTwoWays')}
      about={t('programs.byHand')}
      ways={[
        { to: '/programs/new', text: t('programs.createFirst') },
        { to: '/transfer', text: t('programs.importFile') },
      ]}
    />
  );
}
