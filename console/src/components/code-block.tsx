import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';

export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <div className="code">
      <section aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code scrolls by keyboard, too. */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} label={`Copy the ${label}`} />
    </div>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** Its name, if its face says too little. */
  readonly label?: string;
  readonly face?: string;
}

/** Copies a text, and says so. */
export function CopyButton({ text, label, face = 'Copy' }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 2_500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select the text and copy it');
    }
  };
  return (
    <>
      <Button className="button copy" {...(label !== undefined && { 'aria-label': label })} onPress={() => void copy()}>
        {said ?? face}
      </Button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
