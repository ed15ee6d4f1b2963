import { NOT_OF_UNIT, checkComposition } from '../../../../domain/board/composition.ts';
import type { ReportFigure, ReportRow } from '../../../../domain/report.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import type { Broken, Reads } from '../board_rows.ts';
import { quorumRuleOf, ruleOf, ruleRows, sittingRows, speaksOf, unitRows } from '../board_rows.ts';
import { isForChair } from '../judge_rules.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const SEVERITY_TITLES = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;

/**
 * The rules of the units and whether these met them on a day, by the rules and members of that day; rules about persons,
 * seats and meetings where they were violated (board.md §5.2, 7).
 */
const compositionReport: ReportSource = {
  reads: { board_unit: ['member_ids'], board_rule: [], board_finding: ['remedy'] },
  async rows(call) {
    const company = call.session.entityId;
    if (company === null) return { rows: [], note: 'Choose a company.' };
    const { unit } = call.parameters;
    const day = typeof call.parameters.on_day === 'string' ? call.parameters.on_day : call.today;
    const reader = new SourceReader(call);
    const reads: Reads = {
      query: (text, list = []) =>
        reader.query((values) => text.replace(/\$(\d+)/g, (_, at: string) => values.bind(list[Number(at) - 1]))),
    };
    const seen = await reader.query<{ id: number }>(
      (values) =>
        `select u.id from {board_unit} u where ${reader.seen('board_unit', 'u', values)} ${typeof unit === 'number' ? `and u.id = ${values.bind(unit)}` : ''}`,
    );
    const ids = new Set(seen.map(({ id }) => id));
    const units = (await unitRows(reads, company)).filter(({ id }) => ids.has(id));
    const rules = await ruleRows(reads, day);
    const names = new Map(
      (await reads.query<{ id: number; name: string }>('select id, name from {board_rule}')).map(({ id, name }) => [
        id,
        name,
      ]),
    );
    const sitting = await sittingRows(reads, company, day === call.today ? null : day);
    const findings = await reads.query<Omit<Broken, 'seat_id' | 'board_member_id'> & { check: string; since: string }>(
      `select f.unit_id, f.rule_id, r."check", f.severity, f.source, f.needed, f.have, f.missing, f.remedy, f.since::text
       from {board_finding} f join {board_rule} r on r.id = f.rule_id
       where f.active and f.entity_id = $1 and f.since <= $2::date and (f.ended_on is null or f.ended_on > $2::date)`,
      [company, day],
    );
    const rows = units.flatMap((one): ReportRow[] => {
      const own = sitting.filter(({ unit_id: id }) => id === one.id);
      const ofUnit = findings.filter(({ unit_id: id }) => id === one.id);
      return [
        ...rules
          .filter((rule) => speaksOf(rule, one) && !NOT_OF_UNIT.has(rule.check) && isForChair(rule, own))
          .map((rule) => {
            const { outcome, needed, have, missing, remedy } = checkComposition(
              ruleOf(rule, one),
              one.kind,
              own,
              quorumRuleOf(one),
            );
            const since = ofUnit.find((finding) => finding.rule_id === rule.id)?.since ?? null;
            return {
              unit: one.name,
              rule: names.get(rule.id) ?? '',
              result: outcome === 'ok' ? 'met' : outcome === 'not_known' ? 'not_known' : 'violated',
              needed,
              have,
              missing,
              since: outcome === 'ok' ? null : since,
              remedy,
              severity: outcome === 'ok' ? null : rule.severity,
              source: rule.source,
            };
          }),
        ...ofUnit
          .filter(({ check }) => NOT_OF_UNIT.has(check))
          .map(({ rule_id: id, check: _check, unit_id: _unit, ...finding }) => ({
            ...finding,
            unit: one.name,
            rule: names.get(id) ?? '',
            result: 'violated',
          })),
      ];
    });
    const violated = rows.filter(({ result }) => result !== 'met');
    const broken = units.filter(({ name }) => violated.some((row) => row.unit === name)).map(({ name }) => name);
    return {
      rows,
      chart: {
        x: broken,
        series: SEVERITIES.map((severity) => ({
          title: SEVERITY_TITLES[severity],
          values: broken.map((name) => violated.filter((row) => row.unit === name && row.severity === severity).length),
        })).filter(({ values }) => values.some((count) => count > 0)),
      },
      figures: SEVERITIES.map((severity): ReportFigure => {
        const count = violated.filter((row) => row.severity === severity).length;
        return {
          title: SEVERITY_TITLES[severity],
          value: String(count),
          ...(count > 0 && severity !== 'info' && { tone: severity === 'error' ? 'danger' : 'warning' }),
        };
      }),
    };
  },
};
export default compositionReport;
