import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useFocusKeeper } from '../dialogs/focus_keeper.tsx';
import type { Brand } from '../brand.ts';

/** Help for people without an account. */
export default function HelpDialog({ brand, onClose }: { brand: Brand; onClose: () => void }) {
  useFocusKeeper();
  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Not able to log in?</DialogTitle>
          <DialogContent>
            <p>Users without an account: contact your administrator.</p>
            {brand.supportEmail && (
              <p>
                E-mail: <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
              </p>
            )}
            {brand.supportPhone && (
              <p>
                Phone: <a href={`tel:${brand.supportPhone}`}>{brand.supportPhone}</a>
              </p>
            )}
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Ok
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
