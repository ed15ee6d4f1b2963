import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
} from '@fluentui/react-components';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';

/** Creates a role with the rights of another. */
export default function CopyRoleDialog({
  role,
  onClose,
  onCopied,
}: {
  role: { id: number; role_name: string };
  onClose: () => void;
  onCopied: (id: number) => void;
}) {
  const [name, setName] = useState(`${role.role_name} (copy)`);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const { data } = await api.post<{ data: { id: number } }>(
        `/tapi/role/${role.id}/copy`,
        { role_name: name },
        { quiet: true },
      );
      toast.success(`${name} has the same rights now.`);
      onCopied(data.id);
      return;
    } catch (thrown) {
      setProblem((thrown as ApiError).message);
    }
    setBusy(false);
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form onSubmit={(event) => void submit(event)} noValidate>
          <DialogBody>
            <DialogTitle>Copy {role.role_name}</DialogTitle>
            <DialogContent>
              <Field label="Name of the new role" required {...(problem && { validationMessage: problem })}>
                <Input value={name} maxLength={60} autoFocus onChange={(_, { value }) => setName(value)} />
              </Field>
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabledFocusable={busy}>
                Copy role
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
