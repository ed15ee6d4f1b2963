import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { today } from '../../../descriptor/place.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import { LinePicker } from './LinePicker.tsx';
import { Loading } from './Loading.tsx';
import { idsIn, useLifts } from './candidates.ts';

/** The renewal desk: current and next prices of lifts, and their quotations or contracts. */
export default function RenewalPage({ params }: BespokeProps) {
  const [query] = useSearchParams();
  const contract = query.get('contract');
  const lines = useSWR(contract === null ? null : `/tapi/contract/${contract}`, (path) =>
    api.get<{ data: WireRecord }>(path, undefined, { quiet: true }).then(({ data }) => data),
  );
  const ofContract = ((lines.data?.lines ?? []) as { lift_id: number; line_status: string }[])
    .filter(({ line_status: state }) => ['active', 'held', 'closed'].includes(state))
    .map(({ lift_id: id }) => id);
  const ids = contract === null ? idsIn(params.ids) : ofContract;
  const lifts = useLifts(contract !== null && !lines.data ? { customer: null } : { ids });
  const error: unknown = lines.error ?? lifts.error;
  if (error || !lifts.candidates) return <Loading title="Renewal desk" error={error} retry={lifts.retry} />;
  return (
    <LinePicker
      title="Renewal desk"
      hint="The suggested price comes from the escalation. Change it if you agree on another."
      type="lift_renewal"
      rows="lines"
      by="lift_id"
      head={['makes', 'group_by', 'months']}
      initial={{ made_on: today(), makes: 'quotation', group_by: 'building', months: 12 }}
      candidates={lifts.candidates}
      all
      columns={['ends_on', 'age_years', 'calls', 'rate', 'suggested', 'new_rate', 'renewal_type_id', 'problem']}
      entered="new_rate"
      totals={['rate', 'suggested', 'new_rate']}
      save="Save the draft"
      empty="None of these lifts has a contract to renew."
    />
  );
}
