import { useEffect, useRef } from 'react';
import { attributePrefix } from '../fields/attributes.ts';
import type { FieldValue } from './drafts.ts';
import type { Difference, Side } from './use-edit.ts';

interface CompareProps {
  readonly what: string;
  readonly differences: readonly Difference[];
  readonly labels: Readonly<Record<string, string>>;
  readonly choose: (name: string, side: Side) => void;
}

/** Two versions of a record side by side, to choose from field by field. */
export function Compare({ what, differences, labels, choose }: CompareProps) {
  const section = useRef<HTMLElement>(null);
  // It replaces the field that had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} className="stack compare" aria-label="Both versions">
      <p role="alert" className="notice warn">
        <span>
          Somebody else changed this {what} while you were editing it.
          {differences.length === 0 ? ' Both versions are the same.' : ' Choose what to keep, then save.'}
        </span>
      </p>
      {differences.map(({ name, side, ...values }) => (
        <fieldset key={name} className="sides">
          <legend>{labels[name] ?? name.replace(attributePrefix, '')}</legend>
          {(['theirs', 'mine'] as const).map((one) => (
            <label key={one} className="side">
              <input type="radio" name={name} checked={side === one} onChange={() => choose(name, one)} />
              <span className="hint">{titles[one]}</span>
              <span className="name-text">{formatValue(values[one])}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  );
}

const titles = { theirs: 'Theirs, saved now', mine: 'Yours' };

function formatValue(value: FieldValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined || value === '' ? '(empty)' : String(value);
}
