import { clientPatternProblem, numberExample } from '../../../descriptor/number_pattern.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { NumberRule } from '../../../descriptor/words/number.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { seriesIn } from '../../engine/records/numbering.ts';

const ruleOf = (screen: Screen | undefined): NumberRule | undefined => screen?.number ?? screen?.numberAt;

/** The shipped patterns of a type. */
const shippedOf = ({ pattern, series = [{ pattern }] }: NumberRule): string[] => series.map((one) => one.pattern);

export default defineHooks({
  fill: (_session, { pattern }) => ({ example: typeof pattern === 'string' ? numberExample(pattern) : null }),
  check: (_session, record, _stored, screens) => {
    const { record_type: type, place, pattern, company_id: company } = record;
    const screen = screens.get(String(type));
    const rule = ruleOf(screen && productScreen(screen));
    if (!screen || !rule || rule.fixed)
      return [{ field: 'record_type', message: 'The numbers of these records cannot be changed here.' }];
    const patterns = shippedOf(rule);
    const at = Number(place) - 1;
    if (patterns[at] === undefined)
      return [
        {
          field: 'place',
          message:
            patterns.length === 1 ? 'These records have one series. Write 1.' : `There are ${patterns.length} series.`,
        },
      ];
    if (typeof pattern !== 'string') return [];
    const now = seriesIn(ruleOf(screen)!, typeof company === 'number' ? company : null);
    const others = now.flatMap((one, index) => (index === at ? [] : [one.pattern]));
    const limits = { patterns, ...(rule.most !== undefined && { most: rule.most }) };
    const problem = clientPatternProblem(limits, others, pattern);
    return problem === null ? [] : [{ field: 'pattern', message: problem }];
  },
});
