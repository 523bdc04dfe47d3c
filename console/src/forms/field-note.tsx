import { useIsReadable } from '../components/use-is-readable.ts';
import { t } from '../language/language.ts';
import type { FieldValue } from './drafts.ts';
import type { FieldNews, Side } from './field-news.ts';
import type { Saver } from './savers.ts';

interface FieldNoteProps {
  readonly label: string;
  readonly news: FieldNews;
  readonly by: Saver;
  readonly choose: (side: Side) => void;
  /** A value for readers. */
  readonly textOf: (value: FieldValue) => string;
}

/** Says below a field what was saved in it meanwhile, and by whom, and offers both values if the user has changed it, too. */
export function FieldNote({ label, news, by, choose, textOf }: FieldNoteProps) {
  const isReadable = useIsReadable(news.kind === 'conflict' && news.theirs);
  if (news.kind !== 'conflict') {
    return (
      <span role="status" className="hint taken-over">
        {t('forms.changed', { by })} {t(news.kind === 'waiting' ? 'forms.waiting' : 'forms.takenOver')}
      </span>
    );
  }
  return (
    <fieldset className="stack compare">
      <legend className="visually-hidden">{label}</legend>
      <p role="alert" className="problem">
        {t('forms.changed', { by })} {t('forms.which')}
      </p>
      <div className="sides">
        {(['theirs', 'mine'] as const).map((side) => (
          <label key={side} className="side">
            <input type="radio" disabled={!isReadable} checked={news.side === side} onChange={() => choose(side)} />
            <span className="hint">{t(side === 'theirs' ? 'forms.theirs' : 'forms.mine')}</span>
            <span className="name-text" translate="no">
              {textOf(news[side]) || t('forms.empty')}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
