import { useState } from 'react';
import { type OperationResult, useMutation, useQuery } from 'urql';
import { Checkbox, Select, TextField } from '../components/fields.tsx';
import { formatTime } from '../format/text.ts';
import { Form } from '../forms/form.tsx';
import { giveUp } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { toast } from '../overlays/toast-queue.ts';
import { dayOf, isDay, startOfDay } from '../search-parameters.ts';
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
import { isReader, lifetimes, untilDay } from './roles.ts';

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
  const readOnly = chosen ?? isReader(role);
  const [, create] = useMutation(IssueKeyDocument);
  const [, update] = useMutation(UpdateKeyDocument);
  const [lastDay, setLastDay] = useState('');
  const endsOnDay = lifetime === untilDay;
  const expiry = endsOnDay
    ? { expiresAt: startOfDay(lastDay, { daysLater: 1 }) }
    : { expiresIn: lifetime === unchanged ? null : lifetime };
  const send = (): Promise<OperationResult<IssueKeyMutation | UpdateKeyMutation>> | null => {
    setIsAsked(true);
    if (endsOnDay && !isDay(lastDay)) return null;
    // Others may have renamed it meanwhile.
    const newName = name === apiKey?.name ? null : name;
    if (!isNew) return update({ id: apiKey.id, input: { name: newName, ...expiry } });
    if (choosesUser && user === nobody) return null;
    return create({ input: { userId: choosesUser ? Number(user) : null, name, readOnly, ...expiry } });
  };
  return (
    <Overlay title={isNew ? t('access.issueTitle') : t('access.keyOf', { user: apiKey.user.name })} close={close}>
      <Form
        label={t('access.key')}
        submitText={t(isNew ? 'access.issueKey' : 'common.save')}
        fields={['name', 'expiresAt']}
        send={send}
        done={(done, _goesOn, hasTyped) => {
          if (!hasTyped) close();
          if ('createApiKey' in done && done.createApiKey !== null) issued(done.createApiKey.key);
          else if ('updateApiKey' in done && done.updateApiKey !== null)
            toast(t.rich('common.saved', { name: titleOf(done.updateApiKey), bdi }));
        }}
        onCancel={(isUnsaved) => giveUp(isUnsaved, close)}
      >
        {(problems) => (
          <>
            {choosesUser && (
              <Select
                label={t('access.user')}
                autoFocus
                value={user}
                options={[
                  { value: nobody, text: t('access.chooseUser') },
                  ...(data?.users ?? []).map((one) => ({
                    value: String(one.id),
                    text: t('access.userWithRole', { name: one.name, role: t(`role.${one.role ?? 'noRole'}`) }),
                  })),
                ]}
                onChange={setUser}
                problem={isAsked && user === nobody ? t('access.chooseUserFirst') : undefined}
              />
            )}
            <TextField
              autoFocus={!choosesUser}
              label={t('access.whatFor')}
              description={t('access.whatForHint')}
              value={name}
              onChange={setName}
              problem={problems['name']}
            />
            {(isNew || (apiKey.state === 'ACTIVE' && apiKey.kind === 'KEY')) && (
              <Select
                label={t('access.validFor')}
                description={t('access.validForHint')}
                value={lifetime}
                options={isNew ? lifetimes : [asItIs(apiKey), ...lifetimes]}
                onChange={setLifetime}
              />
            )}
            {endsOnDay && (
              <TextField
                label={t('access.lastDay')}
                isRequired
                value={lastDay}
                onChange={setLastDay}
                input={{ type: 'date', min: dayOf(new Date()) }}
                problem={isAsked && !isDay(lastDay) ? t('access.chooseDay') : problems['expiresAt']}
              />
            )}
            {isNew && (
              <Checkbox isSelected={readOnly} onChange={setReadOnly}>
                {t('access.readOnlyHint')}
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
  text: expiresAt === null ? t('access.noLimitAsIs') : t('access.untilAsIs', { time: formatTime(expiresAt) }),
});
