import { defaultParseSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { toastOutcome } from '../api/toast-outcome.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Checkbox } from '../components/fields.tsx';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import type { Search } from '../lists/list-filter.ts';
import { useRights } from '../session/viewer.tsx';
import { TextForm } from './conditions/value-editors.tsx';
import { DeleteViewDocument, SavedViewsDocument, SaveViewDocument } from './documents.generated.ts';
import { addressOf, type ListName, viewListOf } from './saved-views.ts';

interface ViewsPopupProps {
  readonly list: ListName;
  /** The filter and order that are shown now. */
  readonly search: Search;
  /** The columns that are shown now, which the address may not say: they may be those of this device. */
  readonly columns: string;
  readonly open: (search: Search) => void;
  readonly close: () => void;
}

/** Saved views: filter, order and columns under a name, for the user or for all. */
export function ViewsPopup({ list, search, columns, open, close }: ViewsPopupProps) {
  const { viewer, canWrite, canAdminister } = useRights();
  const canSave = viewer.role !== null && !viewer.readOnly;
  const [{ data, fetching }] = useQuery({ query: SavedViewsDocument, variables: { list: viewListOf[list] } });
  const [, save] = useMutation(SaveViewDocument);
  const [, remove] = useMutation(DeleteViewDocument);
  const [isShared, setIsShared] = useState(false);
  const views = data?.savedViews;
  const link = new URL(window.location.href);
  link.searchParams.set('columns', columns);
  const submit = async (name: string, empty: () => void): Promise<void> => {
    if (name === '') return;
    // Saved again, a view that is for all stays so: others use it.
    const staysShared = views?.some((view) => view.isOwn && view.isShared && view.name === name) === true;
    const address = addressOf({ ...search, columns });
    const input = { list: viewListOf[list], name, search: address, isShared: isShared || staysShared };
    const { error } = await save({ input });
    if (error === undefined) empty();
    toastOutcome(error, t.rich('listBar.viewSaved', { name, bdi }));
  };
  if (views === undefined && fetching) return <p className="hint">{t('common.loading')}</p>;
  return (
    <>
      {views !== undefined && views.length > 0 && (
        <ul>
          {views.map((view, at) => (
            <li key={view.id}>
              <Button
                look="quiet"
                className="name-text"
                title={view.name}
                autoFocus={at === 0 && !canSave}
                onClick={() => {
                  open(defaultParseSearch(view.search));
                  close();
                }}
              >
                <span className="cut" dir="auto">
                  {view.name}
                </span>{' '}
                {view.isShared && (
                  <span className="hint">
                    {t('listBar.viewOf', {
                      isOthers: view.isOwn || view.owner === null ? 'no' : 'yes',
                      owner: view.owner ?? '',
                    })}
                  </span>
                )}
              </Button>
              {canSave && (view.isOwn || canAdminister) && (
                <Button
                  look="quiet"
                  aria-label={t('listBar.deleteView', { name: view.name })}
                  onClick={() => void remove({ id: view.id }).then(({ error }) => toastOutcome(error))}
                >
                  ×
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canSave && (
        <>
          <TextForm
            label={t('listBar.nameOfView')}
            submitText={t('common.save')}
            onSubmit={(name, empty) => void submit(name, empty)}
          />
          {canWrite && (
            <Checkbox isSelected={isShared} onChange={setIsShared}>
              {t('listBar.viewForAll')}
            </Checkbox>
          )}
        </>
      )}
      <CopyButton text={link.href} name={t('listBar.copyLink')} />
    </>
  );
}
