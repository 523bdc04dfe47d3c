import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { recordNameIn, useLeftDrafts } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { recordRoute } from '../links/record-link.tsx';
import { ask } from '../overlays/overlay.tsx';

const forms = ['program', 'branch', 'copy', 'edit', 'note', 'notes', 'edition'] as const;

/** What a draft is of, by its name, such as `edit-BRANCH-7`; `undefined` of cells, whose values have a list of their own. */
export function formOf(name: string) {
  const [first, ...parts] = name.split('-');
  const form = forms.find((one) => one === first);
  const kind = parts.includes('BRANCH') ? 'BRANCH' : 'PROGRAM';
  return form && ({ form, kind, id: Number(parts.at(-1)) } as const);
}

function routeOf({ form, kind, id }: NonNullable<ReturnType<typeof formOf>>) {
  if (form === 'program') return { to: '/programs/new' } as const;
  if (form === 'edition') return { to: '/editions' } as const;
  if (form === 'notes') return { to: kind === 'PROGRAM' ? '/programs' : '/branches' } as const;
  return recordRoute(kind, id);
}

/** Links to the forms that have drafts. */
export function Unfinished({ names }: { readonly names: readonly string[] }) {
  return (
    <span className="unfinished">
      {names.map((name) => {
        const form = formOf(name);
        if (form === undefined) return null;
        const record = recordNameIn(name) ?? t('records.recordNumber', { kind: form.kind, id: String(form.id) });
        return (
          <Link key={name} {...routeOf(form)} onClick={() => ask(null)}>
            {t('shell.unfinishedForm', { form: form.form, record })}
          </Link>
        );
      })}
    </span>
  );
}

/** Says which forms were left with something that is not saved, until it is. */
export function useUnfinished(): ReactNode {
  const names = useLeftDrafts().filter((name) => formOf(name) !== undefined);
  if (names.length === 0) return null;
  return (
    <div className="toast">
      <div role="status">
        {t('shell.unfinished')} <Unfinished names={names} />
      </div>
    </div>
  );
}
