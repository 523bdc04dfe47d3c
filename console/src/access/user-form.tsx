import { useState } from 'react';
import { type OperationResult, useMutation } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import { Notice } from '../components/notices.tsx';
import { Form } from '../forms/form.tsx';
import { giveUp } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast, toastLasting } from '../overlays/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import {
  CreateUserDocument,
  type CreateUserMutation,
  UpdateUserDocument,
  type UpdateUserMutation,
  type UserFieldsFragment,
} from './documents.generated.ts';
import { roles } from './roles.ts';

interface UserFormProps {
  /** `null` for a new one. */
  readonly user: UserFieldsFragment | null;
  readonly close: () => void;
  /** Of a new user: a key is what they need next. */
  readonly issueKey: (name: string) => void;
}

export function UserForm({ user, close, issueKey }: UserFormProps) {
  const isOwn = useRights().viewer.name === user?.name;
  const [name, setName] = useState(user?.name ?? '');
  const [chosen, setRole] = useState<(typeof roles)[number]['value']>();
  const role = chosen ?? (user === null ? 'VIEWER' : (user.role ?? 'GUEST'));
  const [disabled, setDisabled] = useState(user?.disabled ?? false);
  const [, create] = useMutation(CreateUserDocument);
  const [, update] = useMutation(UpdateUserDocument);
  const send = (): Promise<OperationResult<CreateUserMutation | UpdateUserMutation>> =>
    user === null
      ? create({ input: { name, role } })
      : // Others may have changed the rest meanwhile.
        update({
          id: user.id,
          input: {
            name: name === user.name ? null : name,
            role: chosen ?? null,
            disabled: disabled === user.disabled ? null : disabled,
          },
        });
  return (
    <Overlay title={t(user === null ? 'access.addUserTitle' : 'access.editUserTitle')} close={close}>
      {user !== null && <p className="hint">{t('access.editAbout')}</p>}
      <Form
        label={t('access.user')}
        submitText={t(user === null ? 'access.addUser' : 'common.save')}
        fields={['name', 'role']}
        send={send}
        done={(done, _goesOn, hasTyped) => {
          if ('updateUser' in done) toast(t.rich('common.saved', { name: done.updateUser?.name ?? name, bdi }));
          else {
            const issue = { label: t('access.issueTitle'), run: () => issueKey(name.trim()) };
            toastLasting(t.rich('access.userAdded', { name, bdi }), { action: issue });
          }
          if (!hasTyped) close();
        }}
        onCancel={(isUnsaved) => giveUp(isUnsaved, close)}
      >
        {(problems) => (
          <>
            <TextField
              label={t('field.name')}
              description={t('access.nameHint')}
              isRequired
              autoFocus
              value={name}
              onChange={setName}
              problem={problems['name']}
            />
            <Select
              label={t('access.role')}
              description={user?.roleFromClaims === true ? t('access.roleFromClaims') : undefined}
              value={role}
              options={roles}
              onChange={setRole}
            />
            {user !== null && (
              <Checkbox isSelected={disabled} onChange={setDisabled}>
                {t('access.disabledHint')}
              </Checkbox>
            )}
            {isOwn && (disabled || role !== user?.role) && (
              <Notice role="status">{t(disabled ? 'access.disableYourself' : 'access.demoteYourself')}</Notice>
            )}
          </>
        )}
      </Form>
    </Overlay>
  );
}
