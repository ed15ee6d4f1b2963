import useSWR from 'swr';
import { today } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { LinePicker } from './LinePicker.tsx';
import { Loading } from './Loading.tsx';
import { idsIn, useLifts, useRunningLines } from './candidates.ts';

/**
 * Merges lifts of one customer into a contract: those of `ids` ("all" = all active ones), or a single one (`lift_id`).
 */
export default function MergePage({ params }: BespokeProps) {
  const customer = Number(params.customer_id);
  const alone = params.lift_id !== undefined;
  const payer = useSWR(`/tapi/customer_dtl/${customer}`, (path) =>
    api.get<{ data: WireRecord }>(path, undefined, { quiet: true }).then(({ data }) => data),
  );
  const all = useLifts({ customer: params.ids === 'all' ? customer : null });
  const lines = useRunningLines({
    lifts: params.ids === 'all' ? (all.candidates?.map(({ id }) => id) ?? null) : idsIn(params.ids ?? params.lift_id),
  });
  const title = alone ? 'Merge a lift into a contract' : 'Merge lifts';
  const retry = () => {
    void payer.mutate();
    all.retry();
    lines.retry();
  };
  const error: unknown = payer.error ?? all.error ?? lines.error;
  if (error || !payer.data || !lines.candidates) return <Loading title={title} error={error} retry={retry} />;
  return (
    <LinePicker
      title={`${title}: ${String(payer.data.name)}`}
      hint="The chosen lifts continue in the contract that you choose, or in a new one for all of them."
      type="contract_change"
      rows="lines"
      by="contract_line_id"
      head={['target_contract_id', 'effective_on', 'dates', 'billing_action', 'reason_id']}
      initial={{
        change_kind: 'merge',
        customer_id: customer,
        branch_id: payer.data.branch_id,
        effective_on: today(),
        billing_action: 'carry',
        dates: alone ? 'keep' : 'longest',
      }}
      candidates={lines.candidates}
      all
      columns={['old_contract_id', 'to_on', 'new_to_on', 'rate', 'unearned', 'carried', 'extra', 'credit', 'problem']}
      totals={['rate', 'unearned', 'carried', 'extra', 'credit']}
      save="Save the draft"
      empty="None of these lifts is in an active contract. Renew or quote them first."
    />
  );
}
