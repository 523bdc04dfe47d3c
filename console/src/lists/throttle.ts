/** Runs at once, then at most once per interval; the last call always runs. */
export function throttle(run: () => void, intervalMs: number): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPending = false;
  const fire = (): void => {
    isPending = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) fire();
    }, intervalMs);
    run();
  };
  const call = (): void => {
    if (timer === undefined) fire();
    else isPending = true;
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return Object.assign(call, { cancel });
}
