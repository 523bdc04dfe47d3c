import { type ReactNode, useState } from 'react';
import { BusyButton } from './busy-button.tsx';

interface TaskButtonProps {
  readonly className?: string;
  readonly run: () => Promise<unknown>;
  /** What it says until that is done. */
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
