import type { Module } from '../../engine/modules.ts';
import { askQuestions } from './effects/ask_questions.ts';
import { unsafeAlarm } from './effects/unsafe_alarm.ts';
import { allAnswered } from './guards/all_answered.ts';

const module: Module = {
  name: 'fms_contracts',
  effects: { ask_questions: askQuestions, unsafe_alarm: unsafeAlarm },
  guards: { all_answered: allAnswered },
};
export default module;
