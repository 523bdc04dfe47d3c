import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { PopupProps } from './popup-button.tsx';

/** A small dialog beside its button. */
export function Popup({
  label,
  triggerRef,
  close,
  children,
}: PopupProps & { readonly label: string; readonly children: ReactNode }) {
  return (
    <Popover
      className="popup"
      isOpen
      triggerRef={triggerRef}
      placement="bottom start"
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Dialog className="popup-content" aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value?: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of several. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="options" aria-label={label}>
      {options.map((option, index) => (
        <Button
          key={option.value}
          className="option"
          aria-pressed={option.value === value}
          autoFocus={index === 0}
          onPress={() => onChange(option.value)}
        >
          {option.text}
        </Button>
      ))}
    </fieldset>
  );
}
