import { type ReactNode, useId } from 'react';

interface DisclosureProps {
  readonly className: string;
  /** The content of the button. */
  readonly face: ReactNode;
  /** The name of the button, if its face has none. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A button with a panel, which the browser closes when something else is pressed. */
export function Disclosure({ className, face, label, children }: DisclosureProps) {
  const id = useId();
  return (
    <div className={className}>
      <button type="button" className="button quiet face" aria-label={label} popoverTarget={id}>
        {face}
      </button>
      <div id={id} popover="auto" className="panel">
        {children}
      </div>
    </div>
  );
}

/** Closes the panel around an element. */
export const closePanel = (inside: Element): void => inside.closest<HTMLElement>('[popover]')?.hidePopover();
