import { type ComponentProps, type ComponentType, type KeyboardEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { type Option, TextField } from '../../components/fields.tsx';
import { formatDate } from '../../format/text.ts';
import { t } from '../../language/language.ts';
import { dayIn, recentDays } from '../../lists/condition.ts';
import type { EditorProps } from '../../lists/list-filter.ts';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  /** Those that are chosen. */
  readonly values?: readonly Value[];
  readonly onChange: (value: Value) => void;
}

/** More options have a field that finds them. */
const unsearchedMax = 8;

/** One of several, or some of them. */
export function Choice<Value extends string>({ label, options, values = [], onChange }: ChoiceProps<Value>) {
  const [text, setText] = useState('');
  const isSearched = options.length > unsearchedMax;
  /** As in a list box of the browser, a letter leads to the next option that begins with it. */
  const move = ({ key, target, currentTarget }: KeyboardEvent<HTMLFieldSetElement>): void => {
    const buttons = Array.from(currentTarget.querySelectorAll('button'));
    const at = target instanceof HTMLButtonElement ? buttons.indexOf(target) : buttons.length;
    const others = [...buttons.slice(at + 1), ...buttons.slice(0, at)];
    const begins = ({ textContent }: Element) => textContent?.toLowerCase().startsWith(key.toLowerCase());
    if (at < buttons.length && key.length === 1) others.find(begins)?.focus();
  };
  const found = options.filter((option) => option.text.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <fieldset className="options" aria-label={label} onKeyDown={move}>
      {isSearched && (
        <TextField label={t('listBar.findValue')} isLabelHidden isCondition autoFocus value={text} onChange={setText} />
      )}
      {found.map((option, index) => (
        <button
          key={option.value}
          type="button"
          className="option"
          aria-pressed={values.includes(option.value)}
          // biome-ignore lint/a11y/noAutofocus: it is in a popup.
          autoFocus={index === 0 && !isSearched}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}

export function ChoiceEditor({ filter: { name, value, put, useOptions }, choose }: EditorProps) {
  const options = useOptions(value);
  if (options === undefined) return <p className="hint">{t('common.loading')}</p>;
  return (
    <Choice
      label={name}
      options={options}
      values={value === undefined ? [] : [value]}
      onChange={(next) => choose(put(next))}
    />
  );
}

export const RecentDays = ({ choose }: { readonly choose: (day: (typeof recentDays)[number]) => void }) => (
  <div className="actions">
    {recentDays.map((day) => (
      <Button key={day} look="quiet" onClick={() => choose(day)}>
        {t('filters.recent', { day })}
      </Button>
    ))}
  </div>
);

/** The browser's own picker. While a year is typed, its digits come in from the right: the list waits for the fourth. */
export function DayEditor({ filter: { name, value = '', put }, change, choose }: EditorProps) {
  const [typed, setTyped] = useState(value);
  return (
    <>
      <TextField
        label={name}
        input={{ type: 'date' }}
        autoFocus
        isCondition
        // As days are written everywhere else: the field has the order of the browser.
        description={typed === '' ? undefined : formatDate(typed)}
        value={typed}
        onChange={(day) => {
          setTyped(day);
          if (!day.startsWith('0')) change(put(day));
        }}
      />
      <RecentDays choose={(day) => choose(put(dayIn(day)))} />
    </>
  );
}

interface TextFormProps {
  readonly label: string;
  readonly submitText: string;
  readonly autoFocus?: boolean;
  readonly Field?: ComponentType<
    Pick<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange' | 'autoFocus' | 'isCondition'>
  >;
  /** `empty` empties the field, unless one has typed on. */
  readonly onSubmit: (value: string, empty: () => void) => void;
}

/** A text that is taken once it is submitted. */
export function TextForm({ label, submitText, autoFocus = true, Field = TextField, onSubmit }: TextFormProps) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(typed.trim(), () => setTyped((now) => (now === typed ? '' : now)));
      }}
    >
      <Field {...{ label, autoFocus }} isCondition value={typed} onChange={setTyped} />
      <Button type="submit">{submitText}</Button>
    </form>
  );
}
