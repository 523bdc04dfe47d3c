import { CopyButton } from '../components/copy-button.tsx';
import { toast } from '../components/toast-queue.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { type ListName, useSavedViews, type View } from './saved-views.ts';
import { TextForm } from './value-editors.tsx';

interface ViewsPopupProps {
  readonly list: ListName;
  /** The filter, order and columns that are shown now. */
  readonly search: View['search'];
  readonly open: (search: View['search']) => void;
  readonly close: () => void;
}

/** Saved views: filter, order and columns under a name, kept on this device; their links work on every other. */
export function ViewsPopup({ list, search, open, close }: ViewsPopupProps) {
  const { kept, keep } = useSavedViews(list);
  const save = (name: string): void => {
    if (name === '') return;
    const others = kept.views.filter((view) => view.name !== name);
    keep({ views: [...others, { name, search }] });
    toast(t.rich('listBar.viewKept', { name, bdi }));
  };
  return (
    <>
      {kept.views.length > 0 && (
        <ul>
          {kept.views.map((view) => (
            <li key={view.name}>
              <button
                type="button"
                className="button quiet name-text"
                onClick={() => {
                  open(view.search);
                  close();
                }}
              >
                {view.name}
              </button>
              <button
                type="button"
                className="button quiet"
                aria-label={t('listBar.forgetView', { name: view.name })}
                onClick={() => keep({ views: kept.views.filter((one) => one !== view) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <TextForm key={kept.views.length} label={t('listBar.nameOfView')} submitText={t('common.save')} onSubmit={save} />
      <CopyButton text={window.location.href} name={t('listBar.copyLink')} />
    </>
  );
}
