import { Fragment, type ReactNode, useId, useRef, useState } from 'react';

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
  /** Each opening has its own content: of one that follows a closing at once, `toggle` tells nothing. */
  const [openings, setOpenings] = useState(0);
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
        onBeforeToggle={({ newState }) => newState === 'open' && setOpenings(openings + 1)}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && <Fragment key={openings}>{children(() => popup.current?.hidePopover())}</Fragment>}
      </div>
    </>
  );
}
