import useSWR from 'swr';
import { today } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { LinePicker } from './LinePicker.tsx';
import { Loading } from './Loading.tsx';
import { useRunningLines } from './candidates.ts';

/** Moves lifts of a contract to a contract of their own. */
export default function DemergePage({ params }: BespokeProps) {
  const id = Number(params.id);
  const contract = useSWR(`/tapi/contract/${id}`, (path) =>
    api.get<{ data: WireRecord }>(path, undefined, { quiet: true }).then(({ data }) => data),
  );
  const lines = useRunningLines({ contract: id });
  const title = `Demerge lifts${contract.data ? ` of ${String(contract.data.contract_no ?? '')}` : ''}`;
  const retry = () => {
    void contract.mutate();
    lines.retry();
  };
  const error: unknown = contract.error ?? lines.error;
  if (error || !contract.data || !lines.candidates) return <Loading title={title} error={error} retry={retry} />;
  const { customer_id: customer, branch_id: branch } = contract.data;
  return (
    <LinePicker
      title={title}
      hint="The chosen lifts continue in a new contract at their current price. Past bills stay."
      type="contract_change"
      rows="lines"
      by="contract_line_id"
      head={['effective_on', 'reason_id', 'billing_action', 'new_bill_to_id']}
      initial={{
        change_kind: 'demerge',
        contract_id: id,
        customer_id: customer,
        branch_id: branch,
        effective_on: today(),
        billing_action: 'carry',
      }}
      candidates={lines.candidates}
      columns={['to_on', 'rate', 'new_rate', 'earned', 'unearned', 'carried', 'credit', 'problem']}
      totals={['rate', 'unearned', 'carried', 'credit']}
      save="Save the draft"
      empty="This contract has no active lifts."
    />
  );
}
