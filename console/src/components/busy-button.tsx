import { type ComponentProps, type ReactNode, useState } from 'react';

interface BusyButtonProps extends ComponentProps<'button'> {
  readonly isBusy: boolean;
}

/** A button that does nothing while its work is in flight. Unlike a disabled one, it keeps the focus. */
export const BusyButton = ({ isBusy, onClick, ...props }: BusyButtonProps) => (
  <button
    type="button"
    {...props}
    aria-disabled={isBusy}
    onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
  />
);

interface TaskButtonProps {
  readonly className?: string;
  readonly run: () => Promise<unknown>;
  /** Its text until the work is done. */
  readonly busyText: string;
  readonly children: ReactNode;
}

/** A button that begins something that takes a while. */
export function TaskButton({ className = 'button', run, busyText, children }: TaskButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setIsBusy(true);
    await run();
    setIsBusy(false);
  };
  return (
    <BusyButton className={className} isBusy={isBusy} onClick={() => void begin()}>
      {isBusy ? busyText : children}
    </BusyButton>
  );
}
