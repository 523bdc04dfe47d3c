import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { toastFailure } from '../components/toast-queue.ts';

interface LazyDialogProps<Module> {
  readonly load: () => Promise<Module>;
  readonly close: () => void;
  readonly children: (module: Module) => ReactNode;
}

/** Loads the file of a dialog when it opens. If that fails, it says so and closes: opening it again tries again. */
export function LazyDialog<Module>({ load, close, children }: LazyDialogProps<Module>) {
  const [module, setModule] = useState<Module | null>(null);
  const begin = useEffectEvent(() =>
    load().then(setModule, () => {
      toastFailure('This could not be loaded: the service cannot be reached. Try again in a moment.');
      close();
    }),
  );
  useEffect(() => void begin(), []);
  return module === null ? null : children(module);
}
