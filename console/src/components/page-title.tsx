import { useEffect } from 'react';

interface PageTitleProps {
  readonly text: string;
  /** Names of records may be long, or in any script. */
  readonly isName?: boolean;
}

/** The heading of a screen, and the title of the document. */
export function PageTitle({ text, isName = false }: PageTitleProps) {
  useEffect(() => {
    document.title = `${text} · Academic Structure`;
  }, [text]);
  return <h1 className={isName ? 'name-text' : undefined}>{text}</h1>;
}
