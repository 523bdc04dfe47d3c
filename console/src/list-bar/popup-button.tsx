import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { LazyDialog } from '../shell/lazy-dialog.tsx';

export interface PopupProps {
  /** What it belongs to. */
  readonly triggerRef: RefObject<HTMLElement | null>;
  readonly close: () => void;
}

interface PopupButtonProps<Module> {
  readonly text: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly load: () => Promise<Module>;
  readonly children: (module: Module, popup: PopupProps) => ReactNode;
}

/** A button that opens a popup, of which the file is loaded then. */
export function PopupButton<Module>({ text, className, isDisabled, load, children }: PopupButtonProps<Module>) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button
        ref={button}
        {...(className !== undefined && { className })}
        {...(isDisabled === true ? { isDisabled } : { 'aria-haspopup': 'dialog' })}
        aria-expanded={isOpen}
        onPress={() => setIsOpen(true)}
      >
        {text}
      </Button>
      {isOpen && (
        <LazyDialog load={load} close={close}>
          {(module) => children(module, { triggerRef: button, close })}
        </LazyDialog>
      )}
    </>
  );
}
