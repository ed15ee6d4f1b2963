import type { Unit } from '../../engine/records/unit.ts';
import { refusalWords } from '../../engine/workflow/refused_steps.ts';

type Row = Readonly<Record<string, unknown>>;

/** Starts the case that the service of a ticket asks for. If it cannot be started, the desk reads why in its notes. */
export async function startCase(unit: Unit, id: number): Promise<void> {
  const ticket = await unit.read('ticket', id);
  const [type] = await unit.query<{ id: number; owner_id: number | null }>(
    'select t.id, t.owner_id from {service} s join {case_type} t on t.id = s.case_type_id where s.id = $1',
    [ticket.service_id ?? null],
  );
  if (!type || ticket.case_id !== null) return;
  let made: (Row & { id: number }) | null = null;
  const refused = await unit.attempt(async () => {
    made = await unit.create('act_case', {
      case_type_id: type.id,
      title: String(ticket.subject).slice(0, 150),
      owner_id: type.owner_id ?? ticket.assignee_id ?? ticket.requester_id,
      branch_id: ticket.branch_id,
      started_by_rule: `Ticket ${String(ticket.ticket_no)}`,
    });
    await unit.transition('act_case', made.id, 'start');
  });
  await unit.update(
    'ticket',
    id,
    refused
      ? {
          notes: {
            add: [
              { at: unit.now.toISOString(), by_name: 'Service', text: `No case was started: ${refusalWords(refused)}` },
            ],
          },
        }
      : { case_id: made!.id },
  );
}
