import { Button, DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { CheckmarkRegular, DismissRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import { NotificationList, useNotifications } from './notification_list.tsx';

/** The newest notifications, over the page. */
export default function NotificationPanel({ onClose }: { onClose: () => void }) {
  const list = useNotifications(false);
  return (
    <OverlayDrawer open position="end" size="small" onOpenChange={(_, { open }) => !open && onClose()}>
      <DrawerHeader>
        <DrawerHeaderTitle
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
        >
          Notifications
        </DrawerHeaderTitle>
        {list.unread > 0 && (
          <div>
            <Button appearance="subtle" size="small" icon={<CheckmarkRegular />} onClick={() => void list.readAll()}>
              Mark all as read
            </Button>
          </div>
        )}
      </DrawerHeader>
      <DrawerBody>
        <NotificationList list={list} onOpen={onClose} />
        <p>
          <Link to="/notifications" onClick={onClose}>
            All notifications and preferences
          </Link>
        </p>
      </DrawerBody>
    </OverlayDrawer>
  );
}
