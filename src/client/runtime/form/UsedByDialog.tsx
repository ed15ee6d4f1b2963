import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { TextLink } from '../../app/page.tsx';

export interface UsedBy {
  type: string;
  title: string;
  count: number;
  route?: string | null;
}

/** Why a record cannot be deleted, and the alternatives. */
export default function UsedByDialog({
  name,
  usedBy,
  deactivate,
  onClose,
}: {
  name: string;
  usedBy: UsedBy[];
  deactivate: (() => void) | null;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{name} is in use</DialogTitle>
          <DialogContent>
            <p>It cannot be deleted while other records refer to it:</p>
            <ul>
              {usedBy.map((use) => (
                <li key={`${use.type} ${use.title}`}>
                  {use.route ? (
                    <TextLink to={use.route}>{`${use.count} in ${use.title}`}</TextLink>
                  ) : (
                    `${use.count} in ${use.title}`
                  )}
                </li>
              ))}
            </ul>
            {deactivate && (
              <p>If you deactivate it, it stays where it is used but is no longer offered for new records.</p>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
            {deactivate && (
              <Button appearance="primary" onClick={deactivate}>
                Deactivate instead
              </Button>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
