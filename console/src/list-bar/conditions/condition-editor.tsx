import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Select, TextField } from '../../components/fields.tsx';
import { formatDate } from '../../format/text.ts';
import { t } from '../../language/language.ts';
import { type Condition, type Mode, type RangeOf, recentDays } from '../../lists/condition.ts';
import type { EditorProps } from '../../lists/list-filter.ts';
import { Choice, RecentDays, TextForm } from './value-editors.tsx';

function modeOf({ is, has, problem, from, to, not }: Condition): Mode {
  if (problem) return 'hasProblem';
  if (has !== undefined) return has ? 'isFilled' : 'isEmpty';
  if ((from ?? to) !== undefined) return 'range';
  return is !== undefined && not === true ? 'isNot' : 'is';
}

/** Chooses how a field is compared, and with what. */
export function ConditionEditor({ filter, change, choose }: EditorProps) {
  const { name, condition = {}, modes: offered = [], range, put } = filter;
  const [mode, setMode] = useState<Mode>(filter.value === undefined ? (offered[0] ?? 'is') : modeOf(condition));
  const turnTo = (next: Mode): void => {
    setMode(next);
    if (next === 'isEmpty' || next === 'isFilled') choose(put({ has: next === 'isFilled' }));
    else if (next === 'hasProblem') choose(put({ problem: true }));
    else if (next !== 'range' && condition.is !== undefined) change(put({ is: condition.is, not: next === 'isNot' }));
  };
  const values = { filter, isNot: mode === 'isNot', change };
  return (
    <>
      {offered.length > 1 && (
        <Select
          label={name}
          value={mode}
          // A link may have set one that is not offered.
          options={[...new Set([...offered, mode])].map((value) => ({ value, text: t(`filterMode.${value}`) }))}
          onChange={turnTo}
        />
      )}
      {(mode === 'is' || mode === 'isNot') && <Values key={mode} {...values} />}
      {mode === 'range' && range !== undefined && (
        <Range range={range} condition={condition} submit={(next) => choose(put(next))} />
      )}
    </>
  );
}

interface ValuesProps extends Pick<EditorProps, 'filter' | 'change'> {
  readonly isNot: boolean;
}

/** More are not listed. */
const optionsMax = 100;

/** Several values; those of other records are listed. */
function Values({ filter, isNot, change }: ValuesProps) {
  const { name, condition: { is = [] } = {}, put, textOf = (value: string) => value, useOptions } = filter;
  const options = useOptions(undefined);
  const turn = (value: string): void => {
    const others = is.filter((one) => one !== value);
    change(put({ is: others.length < is.length ? others : [...is, value], not: isNot }));
  };
  if (options === undefined) return <p className="hint">{t('common.loading')}</p>;
  const others = is.filter((value) => options.every((option) => option.value !== value));
  const all = [...others.map((value) => ({ value, text: textOf(value) })), ...options];
  const isWhole = options.length > 0 && options.length < optionsMax;
  return (
    <>
      {all.length > 0 && <Choice label={name} options={all} values={is} onChange={turn} />}
      {!isWhole && (
        <TextForm
          key={is.length}
          label={t('listBar.exactly', { name })}
          submitText={t('listBar.filter')}
          onSubmit={turn}
        />
      )}
    </>
  );
}

interface RangeProps {
  readonly range: RangeOf;
  readonly condition: Condition;
  readonly submit: (condition: Condition) => void;
}

const inputs = { days: { type: 'date' }, numbers: { type: 'number', min: 0 }, texts: {} } as const;

function Range({ range, condition, submit }: RangeProps) {
  const isRecent = recentDays.some((day) => day === condition.from);
  const [from, setFrom] = useState((!isRecent && condition.from) || '');
  const [to, setTo] = useState((!isRecent && condition.to) || '');
  /** Days as they are written everywhere else: the field has the order of the browser. */
  const dayOf = (text: string): string | undefined => (range === 'days' && text !== '' ? formatDate(text) : undefined);
  const field = { isCondition: true, input: inputs[range] };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit({ from: from.trim(), to: to.trim() });
      }}
    >
      {range === 'days' && (
        <RecentDays choose={(day) => submit(day === 'week' ? { from: day } : { from: day, to: day })} />
      )}
      <TextField
        label={t('filters.from')}
        autoFocus
        value={from}
        description={dayOf(from)}
        onChange={setFrom}
        {...field}
      />
      <TextField label={t('filters.to')} value={to} description={dayOf(to)} onChange={setTo} {...field} />
      <Button type="submit">{t('listBar.filter')}</Button>
    </form>
  );
}
