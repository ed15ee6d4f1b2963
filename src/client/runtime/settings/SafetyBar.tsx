import {
  Button,
  Link,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
} from '@fluentui/react-components';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons';
import type { UnsafeSetting } from './setting_sources.ts';
import styles from './settings.module.css';

/** The settings that are not safe at present, and the button that makes them safe. */
export default function SafetyBar({
  unsafe,
  onShow,
  onHarden,
}: {
  unsafe: UnsafeSetting[];
  onShow: (name: string) => void;
  onHarden: (() => void) | null;
}) {
  if (unsafe.length === 0)
    return (
      <MessageBar intent="success" className={styles.state ?? ''}>
        <MessageBarBody>Every setting is as safe as it can be.</MessageBarBody>
      </MessageBar>
    );
  return (
    <MessageBar intent="warning" layout="multiline" className={styles.state ?? ''}>
      <MessageBarBody>
        <MessageBarTitle>
          {unsafe.length === 1
            ? 'One setting is less safe than it could be.'
            : `${unsafe.length} settings are less safe than they could be.`}
        </MessageBarTitle>
        <ul className={styles.names}>
          {unsafe.map(({ field }) => (
            <li key={field.name}>
              <Link as="button" type="button" onClick={() => onShow(field.name)}>
                {field.title}
              </Link>
            </li>
          ))}
        </ul>
      </MessageBarBody>
      {onHarden && (
        <MessageBarActions>
          <Button icon={<ShieldCheckmarkRegular />} onClick={onHarden}>
            Harden
          </Button>
        </MessageBarActions>
      )}
    </MessageBar>
  );
}
