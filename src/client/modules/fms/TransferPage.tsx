import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Field } from '../../../descriptor/types.ts';
import { today } from '../../../descriptor/place.ts';
import { useSession } from '../../app/session.ts';
import { EmptyState, Page, PageBody } from '../../app/page.tsx';
import { RefPicker } from '../../runtime/fields/reference/RefPicker.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import { LinePicker } from './LinePicker.tsx';
import { Loading } from './Loading.tsx';
import { idsIn, useLifts } from './candidates.ts';
import styles from './lines.module.css';

const OWNER: Field = {
  name: 'customer',
  type: 'ref',
  title: 'Lifts of',
  required: false,
  schema: {},
  secret: false,
  readOnly: false,
  ref: { type: 'customer_dtl' },
};

/** Transfers one lift, or those of a customer, to another owner, building, route or branch. */
export default function TransferPage({ params }: BespokeProps) {
  const { entityId } = useSession();
  const [query] = useSearchParams();
  const ids = idsIn(params.id ?? query.get('ids') ?? '');
  const [customer, setCustomer] = useState<number | null>(Number(query.get('customer_id')) || null);
  const lifts = useLifts(ids.length > 0 ? { ids } : { customer });
  const above =
    ids.length > 0 ? null : (
      <div className={styles.choice}>
        <label id="whose-label" htmlFor="whose">
          {OWNER.title}
        </label>
        <RefPicker
          field={OWNER}
          id="whose"
          value={customer}
          onChange={(id) => setCustomer(typeof id === 'number' ? id : null)}
        />
      </div>
    );
  const title = ids.length === 1 ? 'Transfer a lift' : 'Transfer lifts';
  if (ids.length === 0 && customer === null)
    return (
      <Page title={title}>
        <PageBody>
          {above}
          <EmptyState title="Whose lifts?" text="Choose the customer whose lifts move to another owner or place." />
        </PageBody>
      </Page>
    );
  if (lifts.error || !lifts.candidates) return <Loading title={title} error={lifts.error} retry={lifts.retry} />;
  return (
    <LinePicker
      key={`${entityId ?? ''}/${customer ?? ''}`}
      title={title}
      hint="The new owner gets the lift with its history; the old one keeps dues and bills. The unearned part of bills is credited and billed again."
      type="lift_transfer"
      rows="lifts"
      by="lift_id"
      head={[
        'transfer_kind',
        'effective_on',
        'to_customer_id',
        'to_building_id',
        'to_route_id',
        'to_branch_id',
        'contract_action',
        'tickets_action',
        'reason_id',
        'branch_id',
      ]}
      initial={{
        effective_on: today(),
        transfer_kind: 'owner',
        contract_action: 'move',
      }}
      candidates={lifts.candidates}
      all={ids.length > 0}
      columns={['from_customer_id', 'from_building_id', 'contract_id', 'price', 'earned', 'unearned', 'problem']}
      totals={['price', 'unearned']}
      save="Save the draft"
      empty="This customer has no lifts."
      above={above}
    />
  );
}
