import { useState } from 'react';
import { type OperationResult, useMutation, useQuery } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import { Overlay } from '../components/overlay.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { formatTime } from '../format/text.ts';
import { Form } from '../forms/form.tsx';
import { useRights } from '../session/viewer.tsx';
import {
  IssueKeyDocument,
  type IssueKeyMutation,
  type KeyFieldsFragment,
  UpdateKeyDocument,
  type UpdateKeyMutation,
  UsersDocument,
} from './documents.generated.ts';
import { titleOf } from './key-columns.tsx';
import { lifetimes } from './roles.ts';

interface KeyFormProps {
  /** `null` for a new one. */
  readonly apiKey: KeyFieldsFragment | null;
  /** The name of the user whose keys are shown, who is chosen at first. */
  readonly owner?: string | null;
  readonly close: () => void;
  /** Receives the secret, which is shown once. */
  readonly issued: (key: string) => void;
}

const nobody = '';
const unchanged = '';

export function KeyForm({ apiKey, owner, close, issued }: KeyFormProps) {
  const isNew = apiKey === null;
  const { canAdminister, viewer } = useRights();
  const choosesUser = isNew && canAdminister;
  const [{ data }] = useQuery({ query: UsersDocument, pause: !choosesUser });
  const [chosenUser, setUser] = useState<string>();
  const user = chosenUser ?? String(data?.users.find((one) => one.name === owner)?.id ?? nobody);
  const [isAsked, setIsAsked] = useState(false);
  const [name, setName] = useState(apiKey?.name ?? '');
  const [lifetime, setLifetime] = useState(isNew ? '90d' : unchanged);
  // Until it is chosen, as the role of the user says.
  const [chosen, setReadOnly] = useState<boolean | null>(null);
  const role = choosesUser ? data?.users.find(({ id }) => String(id) === user)?.role : viewer.role;
  const readOnly = chosen ?? (role === 'VIEWER' || role === 'GUEST');
  const [, create] = useMutation(IssueKeyDocument);
  const [, update] = useMutation(UpdateKeyDocument);
  const expiresIn = lifetime === unchanged ? null : lifetime;
  const send = (): Promise<OperationResult<IssueKeyMutation | UpdateKeyMutation>> | null => {
    if (!isNew) return update({ id: apiKey.id, input: { name, expiresIn } });
    setIsAsked(true);
    if (choosesUser && user === nobody) return null;
    return create({ input: { userId: choosesUser ? Number(user) : null, name, readOnly, expiresIn } });
  };
  return (
    <Overlay title={isNew ? 'Issue a key' : `A key of ${apiKey.user.name}`} close={close}>
      <Form
        label="Key"
        submitText={isNew ? 'Issue key' : 'Save'}
        fields={['name']}
        send={send}
        done={(done) => {
          close();
          if ('createApiKey' in done && done.createApiKey !== null) issued(done.createApiKey.key);
          else if (!isNew) toast(toastText`${titleOf({ ...apiKey, name })} was saved.`);
        }}
        onCancel={close}
      >
        {(problems) => (
          <>
            {choosesUser && (
              <Select
                label="User"
                autoFocus
                value={user}
                options={[
                  { value: nobody, text: 'Choose a user' },
                  ...(data?.users ?? []).map((one) => ({
                    value: String(one.id),
                    text: `${one.name} (${one.role?.toLowerCase() ?? 'no role'})`,
                  })),
                ]}
                onChange={setUser}
                problem={isAsked && user === nobody ? 'Choose the user whose key it will be.' : undefined}
              />
            )}
            <TextField
              autoFocus={!choosesUser}
              label="What it is for"
              description="Such as the name of the program that uses it."
              value={name}
              onChange={setName}
              problem={problems['name']}
            />
            {(isNew || (apiKey.state === 'ACTIVE' && apiKey.kind === 'KEY')) && (
              <Select
                label="Valid for"
                description="No longer than the key or token that you have signed in with."
                value={lifetime}
                options={isNew ? lifetimes : [asItIs(apiKey), ...lifetimes]}
                onChange={setLifetime}
              />
            )}
            {isNew && (
              <Checkbox isSelected={readOnly} onChange={setReadOnly}>
                Read-only: it changes nothing, whatever its user may
              </Checkbox>
            )}
          </>
        )}
      </Form>
    </Overlay>
  );
}

const asItIs = ({ expiresAt }: KeyFieldsFragment) => ({
  value: unchanged,
  text: expiresAt === null ? 'No limit, as it is' : `Until ${formatTime(expiresAt)}, as it is`,
});
