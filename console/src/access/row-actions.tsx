import { Button } from '../components/button.tsx';

interface Action {
  readonly text: string;
  /** Name of the record, for screen readers: `Delete ada`. */
  readonly name: string;
  readonly run: () => void;
  readonly isOffered?: boolean;
}

export const RowActions = ({ actions }: { readonly actions: readonly Action[] }) =>
  actions
    .filter(({ isOffered = true }) => isOffered)
    .map(({ text, name, run }) => (
      <Button key={text} look="quiet" aria-label={name} onClick={run}>
        {text}
      </Button>
    ));
