import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, use } from 'react';
import { Button } from '../components/button.tsx';
import { InSidePanel } from '../components/page-title.tsx';

interface RecordActionProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  readonly icon: LucideIcon;
  readonly text: string;
}

/** What can be done with a record: beside a list, where there is little room, a picture. */
export function RecordAction({ icon: Icon, text, ...props }: RecordActionProps) {
  const isSmall = use(InSidePanel);
  return (
    <Button {...props} {...(isSmall && { look: 'quiet', 'aria-label': text, title: text })}>
      <Icon aria-hidden="true" />
      {!isSmall && text}
    </Button>
  );
}
