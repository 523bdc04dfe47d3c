import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { Form as AriaForm } from 'react-aria-components/Form';

interface FormProps {
  readonly label: string;
  readonly submitText: string;
  readonly isSending: boolean;
  readonly message: string | null;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

export function Form({ label, submitText, isSending, message, onSubmit, onCancel, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const wasSending = useRef(false);
  // Screen readers read the problem of the focused field.
  useEffect(() => {
    if (wasSending.current && !isSending) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    wasSending.current = isSending;
  }, [isSending]);
  return (
    <AriaForm
      ref={form}
      aria-label={label}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {message !== null && (
        <p role="alert" className="notice bad">
          <span>{message}</span>
        </p>
      )}
      <div className="actions">
        <Button type="submit" className="button primary" isPending={isSending}>
          {isSending ? 'Saving…' : submitText}
        </Button>
        {onCancel !== undefined && (
          <Button className="button" onPress={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </AriaForm>
  );
}
