import { askQuestionsOf } from '../../../platform/inspections/ask_questions.ts';
import type { Effect } from '../../../engine/modules.ts';
import { orderRoute } from '../order_route.ts';
import { whoGoes } from '../who_goes.ts';

/**
 * Makes the ticket of a released visit and assigns it to the people of the route. Visits of one building and day share their arrival; the
 * questions of the checklist are frozen now, so that the phone has them before it is in the basement.
 */
export const makeTicket: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const day = String(record.planned_on);
    const [definition] = await unit.query<{ id: number }>(
      `select id from {ticket_definition} where ticket_type = 'preventive' and active order by id limit 1`,
    );
    if (!definition)
      return unit.refuse([
        {
          field: '',
          message: 'There is no ticket definition for preventive visits. Add one in Settings, Ticket definitions.',
        },
      ]);
    const route = typeof record.route_id === 'number' ? record.route_id : null;
    const level = typeof record.expertise_level_id === 'number' ? record.expertise_level_id : null;
    const onRoute = await whoGoes(unit, route, day, { crew: Number(record.crew ?? 1), expertise_level_id: level });
    const { team_id: team, technician_id: lead } = onRoute;
    const technician = typeof record.technician_id === 'number' ? record.technician_id : lead;
    const group = `${String(record.building_id__label ?? record.building_id)}, ${day}`.slice(-60);
    const instruments = await unit.query<{ name: string }>(
      'select name from {instrument_type_mstr} where id = any($1::bigint[]) order by name',
      [record.instrument_ids ?? []],
    );
    const taken = instruments.length > 0 ? ` Take along: ${instruments.map(({ name }) => name).join(', ')}.` : '';
    const ticket = await unit.create('fms_ticket', {
      ticket_definition_id: definition.id,
      source: 'schedule',
      lift_id: record.lift_id,
      description: `Maintenance visit ${record.visit_no} of ${record.visits_per_year}, due by ${day}.${taken}`,
      planned_on: day,
      team_id: team,
      scheduled_ticket_id: record.id,
      visit_group: group,
      stop_no: record.stop_no,
      survey_type_id: record.survey_type_id,
    });
    if (typeof record.survey_type_id === 'number') {
      const version = await askQuestionsOf(unit, record.survey_type_id);
      await unit.update('fms_ticket', ticket.id, { answers: version.id });
    }
    if (technician !== null)
      await unit.transition('fms_ticket', ticket.id, 'assign', {
        technician_id: technician,
        ...(team !== null && { team_id: team }),
        helper_ids: onRoute.helper_ids.filter((one) => one !== technician),
        planned_on: day,
      });
    await unit.update('scheduled_ticket', record.id, {
      fms_ticket_id: ticket.id,
      visit_group: group,
      ...(technician !== null && { technician_id: technician }),
    });
    if (record.stop_no === null && route !== null) await orderRoute(unit, route, day);
  },
};
