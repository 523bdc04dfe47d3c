import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';

interface DisclosureProps {
  readonly className: string;
  /** What the button has. */
  readonly face: ReactNode;
  /** The name of the button, if its face has none. */
  readonly label?: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that shows what belongs to it, until something else is pressed or focused. */
export function Disclosure({ className, face, label, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => setIsOpen(false);
  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event): void => {
      if (!(target instanceof Node && whole.current?.contains(target))) setIsOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setIsOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen]);
  return (
    <div ref={whole} className={className}>
      <Button
        ref={button}
        className="button quiet face"
        aria-expanded={isOpen}
        {...(label !== undefined && { 'aria-label': label })}
        onPress={() => setIsOpen(!isOpen)}
      >
        {face}
      </Button>
      <div className={isOpen ? 'panel open' : 'panel'}>{children(close)}</div>
    </div>
  );
}
