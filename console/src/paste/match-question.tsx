import type { RecordKind } from '../api/event-stream.ts';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { describeStep } from '../bulk/nouns.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notices.tsx';
import { useIsUnread } from '../components/use-is-readable.ts';
import { t } from '../language/language.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { describeUnmatched } from './leftovers.tsx';
import type { Match } from './match.ts';
import type { Paste } from './paste.ts';

interface MatchQuestionProps {
  readonly kind: RecordKind;
  /** By position. */
  readonly paste: Paste;
  readonly match: Match;
  readonly choose: (paste: Paste) => void;
  readonly close: () => void;
}

/** Asks where rows go that name other records than those of their places. */
export function MatchQuestion({ kind, paste, match, choose, close }: MatchQuestionProps) {
  const { by, count, first, paste: matched } = match;
  const isUnread = useIsUnread(match, true);
  useAskBeforeLeaving(() => true);
  return (
    <Overlay title={describeStep(kind, 'change', paste.rows.length)} close={close}>
      <Notice>{t('cells.otherRows', { by, kind, count })}</Notice>
      {first.place !== undefined && (
        <p className="name-text">{t('cells.byPlace', { row: first.title, record: first.place })}</p>
      )}
      {matched.rows.length === 0 && matched.unmatched !== undefined && (
        <p className="name-text">
          {t('cells.noMatch', { by })} {describeUnmatched(kind, matched.unmatched, matched.titles)}
        </p>
      )}
      <div className="actions">
        {matched.rows.length > 0 && (
          <Button look="primary" isBusy={isUnread} autoFocus data-autofocus onClick={() => choose(matched)}>
            {t('cells.matchRows', { by })}
          </Button>
        )}
        <Button isBusy={isUnread} onClick={() => choose(paste)}>
          {t('cells.byPosition')}
        </Button>
        <Button onClick={close}>{t('common.cancel')}</Button>
      </div>
    </Overlay>
  );
}
