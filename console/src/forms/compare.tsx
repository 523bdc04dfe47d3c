import { useEffect, useRef } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { attributePrefix } from '../fields/attributes.ts';
import type { FieldValue } from './drafts.ts';
import type { Difference, Side } from './use-edit.ts';
import './compare.css';

interface CompareProps {
  readonly what: string;
  readonly differences: readonly Difference[];
  readonly labels: Readonly<Record<string, string>>;
  readonly choose: (name: string, side: Side) => void;
}

/** Two versions of a record side by side, to choose from field by field. */
export function Compare({ what, differences, labels, choose }: CompareProps) {
  const section = useRef<HTMLElement>(null);
  const labelOf = (name: string): string => labels[name] ?? name.replace(attributePrefix, '');
  // It replaces the field that had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} className="compare" aria-label="Both versions">
      <p role="alert" className="notice warn">
        <span>
          Somebody else changed this {what} while you were editing it.
          {differences.length === 0 ? ' Both versions are the same.' : ' Choose what to keep, then save.'}
        </span>
      </p>
      {differences.map(({ name, mine, theirs, side }) => (
        <RadioGroup
          key={name}
          className="field"
          value={side}
          onChange={(value) => choose(name, value === 'mine' ? 'mine' : 'theirs')}
          aria-label={labelOf(name)}
        >
          <span className="label" aria-hidden="true">
            {labelOf(name)}
          </span>
          <div className="sides">
            <Choice side="theirs" title="Theirs, saved now" value={theirs} />
            <Choice side="mine" title="Yours" value={mine} />
          </div>
        </RadioGroup>
      ))}
    </section>
  );
}

interface ChoiceProps {
  readonly side: Side;
  readonly title: string;
  readonly value: FieldValue | undefined;
}

function Choice({ side, title, value }: ChoiceProps) {
  return (
    <Radio value={side} className="side">
      <span className="hint">{title}</span>
      <span className="name-text">{formatValue(value)}</span>
    </Radio>
  );
}

function formatValue(value: FieldValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined || value === '' ? '(empty)' : String(value);
}
