import { type ReactNode, useId, useRef, useState } from 'react';

interface PopupButtonProps {
  readonly text: string;
  /** Content of the button in place of its name. */
  readonly face?: ReactNode;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

/** A button with a popup. The browser places and closes the popup. */
export function PopupButton({ text, face = text, className, isDisabled, children }: PopupButtonProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} disabled={isDisabled} aria-expanded={isOpen} popoverTarget={id}>
        {face}
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        className="popup"
        {...(isOpen && { role: 'dialog', 'aria-label': text })}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && children(() => popup.current?.hidePopover())}
      </div>
    </>
  );
}
