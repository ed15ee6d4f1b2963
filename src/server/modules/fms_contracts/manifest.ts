import type { Module } from '../../engine/modules.ts';
import { askQuestions } from './effects/ask_questions.ts';
import { closeLines } from './effects/close_lines.ts';
import { freeze } from './effects/freeze.ts';
import { openLines } from './effects/open_lines.ts';
import { priceYears } from './effects/price_years.ts';
import { score } from './effects/score.ts';
import { unsafeAlarm } from './effects/unsafe_alarm.ts';
import { lineKind } from './fills/line_kind.ts';
import { lineTerms } from './fills/line_terms.ts';
import { noOverlap } from './guards/no_overlap.ts';
import { ready } from './guards/ready.ts';
import { correctionClosed } from './results/may_correct.ts';
import { scoreAnswers } from './results/score_answers.ts';

const module: Module = {
  name: 'fms_contracts',
  effects: {
    ask_questions: askQuestions,
    score,
    unsafe_alarm: unsafeAlarm,
    price_years: priceYears,
    freeze,
    open_lines: openLines,
    close_lines: closeLines,
  },
  guards: { ready, no_overlap: noOverlap },
  fills: { line_kind: lineKind, line_terms: lineTerms },
  answering: {
    tis_inspection: {
      closed: async (session, record) => {
        if (record.status === 'planned') return 'Start the inspection: the questions come from the survey type.';
        return record.status === 'submitted' ? correctionClosed(session, record) : null;
      },
      kept: scoreAnswers,
    },
  },
};
export default module;
