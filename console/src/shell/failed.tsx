import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';

/** A screen that could not be shown: a fault of the page, or a newer version of it whose files have other names. */
export function Failed({ error }: ErrorComponentProps) {
  return (
    <div role="alert" className="notice bad">
      <p>
        This screen could not be shown ({error instanceof Error ? error.message : String(error)}). Loading the page
        again usually helps.
      </p>
      <Button className="button" onPress={() => location.reload()}>
        Load again
      </Button>
    </div>
  );
}
