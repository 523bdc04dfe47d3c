import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { isFiltered, type ProgramsSearch } from './search.ts';

/** Nothing matches, or the catalog is empty. */
export function NoPrograms({ search }: { readonly search: ProgramsSearch }) {
  return isFiltered(search) ? (
    <EmptyState title={t('programs.noMatch')}>
      <p>{t('common.fewerWords')}</p>
      <div className="actions">
        <Link to="/programs" className="button primary">
          {t('programs.showAll')}
        </Link>
        {search.q !== undefined && (
          <Link to="/branches" search={{ q: search.q }} className="button quiet">
            {t('programs.searchBranches')}
          </Link>
        )}
      </div>
    </EmptyState>
  ) : (
    <FirstSteps />
  );
}

export function FirstSteps() {
  const { canWrite } = useRights();
  return (
    <EmptyState title={t(canWrite ? 'programs.emptyTwoWays' : 'programs.empty')}>
      {canWrite ? (
        <>
          <p>{t('programs.byHand')}</p>
          <div className="actions">
            <Link to="/programs/new" className="button primary">
              {t('programs.createFirst')}
            </Link>
            <Link to="/transfer" className="button quiet">
              {t('programs.importFile')}
            </Link>
          </div>
        </>
      ) : (
        <p>{t('programs.appears')}</p>
      )}
    </EmptyState>
  );
}
