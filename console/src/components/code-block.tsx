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

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
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
      <Button className="button copy" aria-label={label} onPress={() => void copy()}>
        {said ?? 'Copy'}
      </Button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
