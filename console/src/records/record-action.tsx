import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, use } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { InSidePanel } from '../components/page-title.tsx';

interface RecordActionProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  readonly icon: LucideIcon;
  readonly text: string;
}

/** What can be done with a record: beside a list, where there is little room, a picture. */
export function RecordAction({ icon: Icon, text, ...props }: RecordActionProps) {
  if (use(InSidePanel)) return <IconButton icon={Icon} text={text} {...props} />;
  return (
    <Button {...props}>
      <Icon aria-hidden="true" />
      {text}
    </Button>
  );
}
