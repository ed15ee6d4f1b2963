import type { Module } from '../../engine/modules.ts';
import { askQuestions } from './effects/ask_questions.ts';
import { score } from './effects/score.ts';
import { unsafeAlarm } from './effects/unsafe_alarm.ts';
import { correctionClosed } from './results/may_correct.ts';
import { scoreAnswers } from './results/score_answers.ts';

const module: Module = {
  name: 'fms_contracts',
  effects: { ask_questions: askQuestions, score, unsafe_alarm: unsafeAlarm },
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
