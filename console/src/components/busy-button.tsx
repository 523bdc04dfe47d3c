import type { ComponentProps } from 'react';

interface BusyButtonProps extends ComponentProps<'button'> {
  readonly isBusy: boolean;
}

/** A button that does nothing while what it has begun is on its way. Unlike a disabled one, it keeps the focus. */
export const BusyButton = ({ isBusy, onClick, ...props }: BusyButtonProps) => (
  <button
    type="button"
    {...props}
    aria-disabled={isBusy}
    onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
  />
);
