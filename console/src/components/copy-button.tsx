import { useEffect, useState } from 'react';
import { t } from '../language/language.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Text of the button: `Copy the key`. */
  readonly name: string;
}

export function CopyButton({ text, name }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 2_500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t('components.copied'));
    } catch {
      setSaid(t('components.selectToCopy'));
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>{said ?? name}</Button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
