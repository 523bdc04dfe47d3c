import { createContext, use, useEffect } from 'react';

/** Whether a record is shown beside the list that the page is about. */
export const InSidePanel = createContext(false);

interface PageTitleProps {
  readonly text: string;
  /** Names of records may be long, or in any script. */
  readonly isName?: boolean;
}

/** The heading of a screen, and the title of the document. */
export function PageTitle({ text, isName = false }: PageTitleProps) {
  const Heading = use(InSidePanel) ? 'h2' : 'h1';
  useEffect(() => {
    if (Heading === 'h1') document.title = `${text} · Academic Structure`;
  }, [text, Heading]);
  return <Heading {...(isName && { className: 'name-text', translate: 'no' })}>{text}</Heading>;
}
