import type { FieldValue } from './drafts.ts';
import type { FieldNews, Side } from './field-news.ts';

interface FieldNoteProps {
  readonly label: string;
  readonly news: FieldNews;
  readonly choose: (side: Side) => void;
  /** A value for readers. */
  readonly textOf: (value: FieldValue) => string;
}

const titles = { theirs: 'Theirs, saved now', mine: 'Yours' };

/** Says below a field what somebody else has saved in it, and offers both values if the user has changed it, too. */
export function FieldNote({ label, news, choose, textOf }: FieldNoteProps) {
  if (news.kind !== 'conflict') {
    return (
      <span role="status" className="hint taken-over">
        {news.kind === 'waiting'
          ? 'Somebody else has changed this. You see it when you leave the field.'
          : 'Somebody else has changed this: you see the new value.'}
      </span>
    );
  }
  return (
    <fieldset className="stack compare">
      <legend className="visually-hidden">{label}</legend>
      <p role="alert" className="problem">
        Somebody else has changed this, too. Which value is to be saved?
      </p>
      <div className="sides">
        {(['theirs', 'mine'] as const).map((side) => (
          <label key={side} className="side">
            <input type="radio" checked={news.side === side} onChange={() => choose(side)} />
            <span className="hint">{titles[side]}</span>
            <span className="name-text">{textOf(news[side]) || '(empty)'}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
