import { type ReactNode, useId, useRef, useState } from 'react';
import { LazyDialog } from '../shell/lazy-dialog.tsx';

interface PopupButtonProps<Module> {
  readonly text: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly load: () => Promise<Module>;
  readonly children: (module: Module, close: () => void) => ReactNode;
}

/** A button with a popup, whose file is loaded when it opens. The browser places and closes the popup. */
export function PopupButton<Module>({ text, className, isDisabled, load, children }: PopupButtonProps<Module>) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => popup.current?.hidePopover();
  return (
    <>
      <button type="button" className={className} disabled={isDisabled} aria-expanded={isOpen} popoverTarget={id}>
        {text}
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        className="popup"
        {...(isOpen && { role: 'dialog', 'aria-label': text })}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && (
          <LazyDialog load={load} close={close}>
            {(module) => children(module, close)}
          </LazyDialog>
        )}
      </div>
    </>
  );
}
