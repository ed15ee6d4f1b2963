import { Button, DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { DismissRegular, EditRegular } from '@fluentui/react-icons';
import { Fragment, Suspense, lazy, useState } from 'react';
import { pageAddress, useScreenRef } from '../../../api/screens.ts';
import { Skeleton, TextLink } from '../../../app/page.tsx';
import { FieldValue } from '../display.tsx';
import { FieldHostContext } from '../widget.ts';
import { forgetFacts, recordTitle, useRecordFacts } from './record_facts.ts';
import styles from './reference.module.css';

const RecordForm = lazy(() =>
  import('../../form/RecordForm.tsx').then(({ RecordForm: default_ }) => ({ default: default_ })),
);

/** A referenced record beside the form: read-only, or editable if the person may edit it. */
export default function RecordPanel({ type, id, onClose }: { type: string; id: number; onClose: () => void }) {
  const [turn, setTurn] = useState(0);
  const [editing, setEditing] = useState(false);
  const { facts, error } = useRecordFacts(type, id, turn);
  const access = useScreenRef(type);
  const mayEdit =
    access !== undefined && access.rights.edit_screen && access.rights.write && access.routes.edit !== null;
  const address = access ? pageAddress(access, 'view_screen', id) : null;
  return (
    <OverlayDrawer
      open
      position="end"
      modalType="modal"
      className={styles.panel ?? ''}
      onOpenChange={(_, { open }) => !open && !editing && onClose()}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          action={
            <>
              {mayEdit && !editing && facts && (
                <Button appearance="subtle" icon={<EditRegular />} onClick={() => setEditing(true)}>
                  Edit
                </Button>
              )}
              <Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />
            </>
          }
        >
          {facts ? recordTitle(facts.screen, facts.record) : error ? (access?.title ?? '') : 'Loading'}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>
        {error && <p role="alert">{error}</p>}
        {!facts && !error && <Skeleton rows={6} />}
        {facts && !editing && (
          <>
            <dl className={styles.facts}>
              {facts.screen.form.tabs.flatMap((tab, tabIndex) =>
                tab.sections.map((section, index) => {
                  const fields = section.fields
                    .flatMap((name) => facts.screen.fields.find((field) => field.name === name) ?? [])
                    .filter((field) => filled(facts.record[field.name]));
                  if (fields.length === 0) return null;
                  return (
                    <Fragment key={`${tabIndex} ${index}`}>
                      {(section.title ?? (index === 0 ? tab.title : undefined)) && (
                        <h3>{section.title ?? tab.title}</h3>
                      )}
                      {fields.map((field) => (
                        <Fragment key={field.name}>
                          <dt>{field.title}</dt>
                          <dd>
                            <FieldValue field={field} value={facts.record[field.name]} record={facts.record} plain />
                          </dd>
                        </Fragment>
                      ))}
                    </Fragment>
                  );
                }),
              )}
            </dl>
            {address && (
              <p>
                <TextLink to={address}>Open the whole page</TextLink>
              </p>
            )}
          </>
        )}
        {facts && editing && (
          <FieldHostContext value={null}>
            <Suspense fallback={<Skeleton rows={6} />}>
              <RecordForm
                screen={facts.screen}
                id={String(id)}
                layout="panel"
                onCancel={() => setEditing(false)}
                onSaved={() => {
                  forgetFacts(type, id);
                  setEditing(false);
                  setTurn(turn + 1);
                }}
              />
            </Suspense>
          </FieldHostContext>
        )}
      </DrawerBody>
    </OverlayDrawer>
  );
}

function filled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
