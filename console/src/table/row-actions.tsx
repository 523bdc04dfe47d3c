import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { PopupButton } from '../overlays/popup-button.tsx';

interface Action {
  readonly text: string;
  /** What it says to screen readers, with the name of the record; otherwise the text and the name: `Delete ada`. */
  readonly label?: string;
  readonly run: () => void;
  readonly isOffered?: boolean;
}

interface RowActionsProps {
  /** Name of the record. */
  readonly name: string;
  readonly actions: readonly Action[];
}

/** The name of a row that opens its form, as the name of a record leads to it. */
export const RowOpener = ({ open, children }: { readonly open: () => void; readonly children: ReactNode }) => (
  <button type="button" className="opener" onClick={open}>
    {children}
  </button>
);

/** What can be done with the record of a row, behind one button at its end. */
export const RowActions = ({ name: record, actions }: RowActionsProps) => (
  <PopupButton
    text={t('table.actionsOf', { name: record })}
    face={<Ellipsis aria-label={t('table.actionsOf', { name: record })} />}
    className="button quiet more"
  >
    {(close) => (
      <div className="options">
        {actions
          .filter(({ isOffered = true }) => isOffered)
          .map(({ text, label, run }) => (
            <Button
              key={text}
              look="quiet"
              aria-label={label ?? t('table.actOn', { action: text, name: record })}
              onClick={() => {
                close();
                run();
              }}
            >
              {text}
            </Button>
          ))}
      </div>
    )}
  </PopupButton>
);
