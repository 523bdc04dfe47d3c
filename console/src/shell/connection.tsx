import { useStreamState } from '../api/api.tsx';

/** Says when what is on the screen may be out of date, and when it is not any more. */
export function Connection() {
  const state = useStreamState();
  return (
    <div role="status" className="connection">
      {state === 'lost' && (
        <p className="notice warn">
          The connection to the service is lost. What you see may be out of date; it catches up by itself.
        </p>
      )}
    </div>
  );
}
