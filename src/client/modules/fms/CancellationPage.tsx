import useSWR from 'swr';
import { today } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { LinePicker } from './LinePicker.tsx';
import { Loading } from './Loading.tsx';
import { useRunningLines } from './candidates.ts';

/** Cancels a contract, or some of its lifts, before its last day. */
export default function CancellationPage({ params }: BespokeProps) {
  const id = Number(params.id);
  const contract = useSWR(`/tapi/contract/${id}`, (path) =>
    api.get<{ data: WireRecord }>(path, undefined, { quiet: true }).then(({ data }) => data),
  );
  const lines = useRunningLines({ contract: id });
  const title = `Cancel ${contract.data ? String(contract.data.contract_no ?? 'the contract') : 'a contract'}`;
  const retry = () => {
    void contract.mutate();
    lines.retry();
  };
  const error: unknown = contract.error ?? lines.error;
  if (error || !contract.data || !lines.candidates) return <Loading title={title} error={error} retry={retry} />;
  return (
    <LinePicker
      title={title}
      hint="The amount billed beyond the last day is credited, less the charge of the category. The last day follows the notice period unless you enter another."
      type="amc_cancellation"
      rows="lines"
      by="contract_line_id"
      head={['cancel_category_id', 'requested_on', 'requested_by', 'last_day', 'lost_to', 'dues_action', 'remarks']}
      initial={{ contract_id: id, branch_id: contract.data.branch_id, requested_on: today() }}
      candidates={lines.candidates}
      all
      columns={['to_on', 'rate', 'billed', 'earned', 'unearned', 'charge', 'credit', 'problem']}
      totals={['rate', 'earned', 'unearned', 'charge', 'credit']}
      facts={['dues_at_cancel', 'credit_left', 'visits_left', 'last_visit_on', 'open_calls', 'deposit_held']}
      save="Save the draft"
      empty="This contract has no active lifts."
    />
  );
}
