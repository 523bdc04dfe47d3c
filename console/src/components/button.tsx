import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'quiet' | 'danger' | undefined;
  /** While its work is in flight, it does nothing. Unlike a disabled one, it keeps the focus. */
  readonly isBusy?: boolean;
}

export const Button = ({ look, className, isBusy, onClick, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    className={['button', look, className].filter(Boolean).join(' ')}
    aria-disabled={isBusy}
    onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
  />
);

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'look'> {
  readonly icon: LucideIcon;
  readonly text: string;
}

/** A picture alone, which the pointer and screen readers name. */
export const IconButton = ({ icon: Icon, text, ...props }: IconButtonProps) => (
  <Button {...props} look="quiet" aria-label={text} title={text}>
    <Icon aria-hidden="true" />
  </Button>
);

interface TaskButtonProps extends Pick<ButtonProps, 'look'> {
  readonly run: () => Promise<unknown>;
  /** Its text until the work is done. */
  readonly busyText: string;
  readonly children: ReactNode;
}

/** A button that begins something that takes a while. */
export function TaskButton({ look, run, busyText, children }: TaskButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setIsBusy(true);
    await run();
    setIsBusy(false);
  };
  return (
    <Button look={look} isBusy={isBusy} onClick={() => void begin()}>
      {isBusy ? busyText : children}
    </Button>
  );
}
