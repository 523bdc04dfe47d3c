import { useMutation } from 'urql';
import { TextField } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { fieldOf } from '../forms/field-of.ts';
import { Form } from '../forms/form.tsx';
import { useDraft } from '../forms/use-draft.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { CreateUserDocument } from './documents.generated.ts';
import { roles } from './roles.ts';

const emptyUser = { name: '', role: 'VIEWER' };

export function NewUser({ close }: { readonly close: () => void }) {
  const { values, change, keyForAttempt, clear } = useDraft('user', emptyUser);
  const [, create] = useMutation(CreateUserDocument);
  const { problems, form, submit } = useSubmit(['name', 'role']);
  const role = roles.find(({ value }) => value === values.role)?.value ?? 'VIEWER';
  const finish = (): void => {
    clear();
    close();
  };
  const send = () =>
    submit(
      () =>
        create(
          { input: { name: values.name, role } },
          { fetchOptions: { headers: { 'Idempotency-Key': keyForAttempt() } } },
        ),
      ({ createUser: { name } }) => {
        toast(toastText`${name} was added. Issue a key next.`);
        finish();
      },
    );
  return (
    <Form label="New user" submitText="Add user" {...form} onSubmit={() => void send()} onCancel={finish}>
      <TextField
        label="Name"
        description="A person or a program that uses the service; a token names its user by it."
        isRequired
        autoFocus
        {...fieldOf({ values, change, problems })('name')}
      />
      <Select label="Role" value={role} options={roles} onChange={(value) => change('role', value)} />
    </Form>
  );
}
