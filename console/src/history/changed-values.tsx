import { diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import type { ChangedField } from './changed-fields.ts';

interface ChangedValuesProps {
  readonly fields: readonly ChangedField[];
  /** Fills the form of the record with an earlier value. */
  readonly putBack?: ((field: string, old: unknown) => void) | undefined;
}

/** The changed fields of a record, with the words that differ. */
export function ChangedValues({ fields, putBack }: ChangedValuesProps) {
  if (fields.length === 0) return null;
  return (
    <dl className="changes">
      {fields.map((changed) => (
        <div key={changed.field}>
          <dt>{changed.name}</dt>
          <dd className="name-text" translate="no">
            <Change {...changed}>
              {putBack !== undefined && changed.field !== 'programId' && (
                <Button
                  look="quiet"
                  aria-label={t('history.putBackValue', {
                    isEmpty: changed.from === null ? 'yes' : 'no',
                    field: changed.name,
                    value: changed.from ?? '',
                  })}
                  onClick={() => putBack(changed.field, changed.old)}
                >
                  {t('history.putBack', { isEmpty: changed.from === null ? 'yes' : 'no' })}
                </Button>
              )}
            </Change>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is between both values belongs to the first. */
function Change({ from, to, children }: ChangedField & { readonly children: ReactNode }) {
  const words = changedWords(from ?? '', to ?? '');
  return (
    <>
      {from !== null && <del>{marked(words.from)}</del>}
      {children}
      {from !== null && to !== null && <span aria-hidden="true"> → </span>}
      {to !== null && <ins>{marked(words.to)}</ins>}
    </>
  );
}

const marked = (parts: ReturnType<typeof changedWords>['from']) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
  parts.map(({ text, isChanged }, index) => (isChanged ? <mark key={index}>{text}</mark> : text));

interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, '').length;

/** Two texts in parts, those marked that are not in the other: none if the texts have little in common. */
export function changedWords(from: string, to: string): { readonly from: Part[]; readonly to: Part[] } {
  const parts = diffWordsWithSpace(from, to);
  const common = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  const isAlike = lettersIn(common.join('')) * 3 > Math.min(lettersIn(from), lettersIn(to));
  const partsOf = (isOther: 'added' | 'removed'): Part[] =>
    parts
      .filter((part) => !part[isOther])
      .map(({ value, added, removed }) => ({ text: value, isChanged: isAlike && (added || removed) }));
  return { from: partsOf('added'), to: partsOf('removed') };
}
