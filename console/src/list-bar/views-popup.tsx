import { useState } from 'react';
import { CopyButton } from '../components/copy-button.tsx';
import { TextField } from '../components/fields.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { type ListName, useKept, type View } from './kept.ts';

interface ViewsPopupProps {
  readonly list: ListName;
  /** The filter, order and columns that are shown now. */
  readonly search: View['search'];
  readonly open: (search: View['search']) => void;
  readonly close: () => void;
}

/** Saved views: filter, order and columns under a name, kept on this device; their links work on every other. */
export function ViewsPopup({ list, search, open, close }: ViewsPopupProps) {
  const { kept, keep } = useKept(list);
  const [name, setName] = useState('');
  const save = (): void => {
    const named = name.trim();
    if (named === '') return;
    const others = kept.views.filter((view) => view.name !== named);
    keep({ views: [...others, { name: named, search }] });
    setName('');
    toast(toastText`The view ${named} is kept on this device.`);
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
                aria-label={`Forget the view ${view.name}`}
                onClick={() => keep({ views: kept.views.filter((one) => one !== view) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label="Name of this view" isCondition autoFocus value={name} onChange={setName} />
        <button type="submit" className="button">
          Save
        </button>
      </form>
      <CopyButton text={window.location.href} name="Copy the link to this view" />
    </>
  );
}
