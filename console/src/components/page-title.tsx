import { useEffect } from 'react';

interface PageTitleProps {
  readonly text: string;
  /** Whether the text is a name from outside, which may be long or in any script. */
  readonly isName?: boolean;
}

/** The title of a screen: its heading, and what the tab, the history and screen readers call it. */
export function PageTitle({ text, isName = false }: PageTitleProps) {
  useEffect(() => {
    document.title = `${text} · Academic Structure`;
  }, [text]);
  return <h1 className={isName ? 'name-text' : undefined}>{text}</h1>;
}
