import { Switch } from '@fluentui/react-components';
import { CheckmarkRegular, SettingsRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { NotificationList, useNotifications } from '../../app/layout/notification_list.tsx';
import { Page, PageBody } from '../../app/page.tsx';

/** All notifications of the user. */
export default function NotificationsPage() {
  const [unreadOnly, setUnreadOnly] = useState(false);
  const list = useNotifications(unreadOnly);
  return (
    <Page
      title="Notifications"
      breadcrumbs={[]}
      layout="form"
      aside={<Switch label="Unread only" checked={unreadOnly} onChange={(_, { checked }) => setUnreadOnly(checked)} />}
      secondary={[
        { label: 'Preferences', icon: <SettingsRegular />, to: '/core_account?tab=notifications' },
        ...(list.unread > 0
          ? [{ label: 'Mark all as read', icon: <CheckmarkRegular />, onClick: () => void list.readAll() }]
          : []),
      ]}
    >
      <PageBody>
        <NotificationList list={list} />
      </PageBody>
    </Page>
  );
}
