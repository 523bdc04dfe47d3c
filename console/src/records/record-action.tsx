import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, use } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { InSidePanel } from '../components/page-title.tsx';

interface RecordActionProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  readonly icon: LucideIcon;
  readonly text: string;
}

/**
 * What can be done with a record: beside a list, where there is little room, a picture. The second click of a double click
 * would meet what the first has put in its place.
 */
export function RecordAction({ icon: Icon, text, onClick, ...others }: RecordActionProps) {
  const isInSidePanel = use(InSidePanel);
  const once: typeof onClick = (event) => event.detail < 2 && onClick?.(event);
  const props = { ...others, onClick: once };
  if (isInSidePanel) return <IconButton icon={Icon} text={text} {...props} />;
  return (
    <Button {...props}>
      <Icon aria-hidden="true" />
      {text}
    </Button>
  );
}
