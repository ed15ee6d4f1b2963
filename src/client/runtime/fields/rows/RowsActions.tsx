import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { MenuIcon } from '../../../app/layout/MenuIcon.tsx';
import { actInForm } from '../../form/use_form_actions.tsx';
import { formActions } from '../../record_action.ts';
import type { FieldHost } from '../widget.ts';

/** The actions of a descriptor on the rows of a field; `rows`: the selected ones, none = all. */
export default function RowsActions({ host, field, rows }: { host: FieldHost; field: string; rows: number[] }) {
  const [busy, setBusy] = useState(false);
  return formActions(host.screen, host.values(), `rows:${field}`).map((action) => (
    <Button
      key={action.title}
      size="small"
      disabled={busy}
      {...(action.icon !== undefined && { icon: <MenuIcon name={action.icon} fallback="Play" /> })}
      onClick={() => {
        setBusy(true);
        void actInForm(host, action, rows).finally(() => setBusy(false));
      }}
    >
      {action.title}
    </Button>
  ));
}
