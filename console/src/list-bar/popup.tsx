import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
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
      <Dialog className="stack popup-content" aria-label={label}>
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
    <ListBox
      autoFocus="first"
      className="options"
      aria-label={label}
      selectionMode="single"
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys === 'all' || keys.has(option.value));
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <ListBoxItem key={option.value} id={option.value} className="option">
          {option.text}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}
