import type { ReactNode } from 'react';
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

/** A form with what the service said to it, and its two buttons. */
export function Form({ label, submitText, isSending, message, onSubmit, onCancel, children }: FormProps) {
  return (
    <AriaForm
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
