import { Select, TextField } from '../components/fields.tsx';
import { formatDate, formatTime } from '../format/text.ts';
import { t } from '../language/language.ts';
import { dayAgo, isDay } from '../search-parameters.ts';
import { now, pointOf, pointOfEdition } from './points.ts';

/** A state for readers: `2026/27`, `1 Jul 2026`, `Now`. */
export function describeState(state: string): string {
  const point = pointOf(state);
  if (isDay(state)) return formatDate(state);
  return point?.edition ?? (typeof point?.at === 'string' ? formatTime(point.at) : t('editions.now'));
}

const aDay = 'day';

interface StatePickerProps {
  readonly label: string;
  readonly state: string | undefined;
  /** The names of the editions. */
  readonly names: readonly string[];
  readonly choose: (state: string) => void;
}

/** Chooses an edition, the end of a day, or the present. */
export function StatePicker({ label, state, names, choose }: StatePickerProps) {
  const isADay = state !== undefined && isDay(state);
  const known = [
    ...names.map((name) => ({ value: pointOfEdition(name), text: name })),
    { value: aDay, text: t('editions.aDay') },
    { value: now, text: t('editions.now') },
  ];
  const value = isADay ? aDay : (state ?? '');
  // A time, or an edition that is gone, comes from the address alone.
  const isKnown = known.some((one) => one.value === value);
  const options = isKnown ? known : [{ value, text: state === undefined ? '' : describeState(state) }, ...known];
  return (
    <>
      <Select
        label={label}
        value={value}
        options={options}
        onChange={(next) => choose(next === aDay ? dayAgo(1) : next)}
      />
      {isADay && (
        <TextField
          label={t('editions.dayOf', { label })}
          isCondition
          input={{ type: 'date', max: dayAgo(0) }}
          value={state}
          onChange={(day) => isDay(day) && choose(day)}
        />
      )}
    </>
  );
}
