import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { isSimilar } from '../lists/matches.tsx';
import { BranchAnswersDocument } from '../program/documents.generated.ts';

/** Says which branches a search among programs finds, too: `1 branch: Epidemiology in Public Health`. */
export function BranchAnswers({ search }: { readonly search: string }) {
  const [{ data }] = useQuery({ query: BranchAnswersDocument, variables: { search } });
  const { nodes = [], totalCount = 0 } = data?.branchesConnection ?? {};
  const texts = nodes.map(({ name, code }) => `${name} ${code ?? ''}`);
  if (nodes.length === 0 || isSimilar(search, texts)) return null;
  return (
    <p role="status" className="hint name-text">
      {t('common.count', { kind: 'BRANCH', count: totalCount })}
      {t('common.colon')}
      {nodes.map(({ id, name, program }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          {t.rich('programs.anotherIn', {
            name,
            program: program.name,
            record: (text) => (
              <RecordLink kind="BRANCH" id={id}>
                {text}
              </RecordLink>
            ),
          })}
        </span>
      ))}
      {totalCount > nodes.length && (
        <>
          {', '}
          <Link to="/branches" search={{ q: search }}>
            {t('programs.andOthers')}
          </Link>
        </>
      )}
    </p>
  );
}
