import type { ComponentType } from 'react';
import type { QuestionType } from '../../../domain/questionnaire/question.ts';
import { answerText } from '../../../domain/questionnaire/shown_text.ts';
import { Consent, LongList, OneChoice, SeveralChoices } from './ChoiceInput.tsx';
import { RankingInput, SumInput } from './OrderInput.tsx';
import { PlaceInput } from './PlaceInput.tsx';
import { PointInput, SliderInput } from './PointInput.tsx';
import type { QuestionProps } from './question_props.ts';
import styles from './questionnaire.module.css';
import { SeveralTexts, TableInput } from './TableInput.tsx';
import { TextInput } from './TextInput.tsx';

const nothing = () => null;

/** The answer form of each type. */
const INPUTS: Record<QuestionType, ComponentType<QuestionProps>> = {
  short_text: TextInput,
  long_text: TextInput,
  number: TextInput,
  email: TextInput,
  phone: TextInput,
  date: TextInput,
  time: TextInput,
  yes_no: OneChoice,
  single_choice: OneChoice,
  dropdown: LongList,
  multiple_choice: SeveralChoices,
  image_choice: OneChoice,
  rating: PointInput,
  scale: PointInput,
  slider: SliderInput,
  nps: PointInput,
  csat: PointInput,
  ces: PointInput,
  ranking: RankingInput,
  constant_sum: SumInput,
  matrix_single: TableInput,
  matrix_multiple: TableInput,
  matrix_rating: TableInput,
  matrix_input: TableInput,
  multiple_input: SeveralTexts,
  file: Sent,
  signature: Sent,
  geo: PlaceInput,
  statement: nothing,
  consent: Consent,
  calculated: ({ asked, id }) => <output id={id}>{answerText(asked) || '–'}</output>,
  hidden: nothing,
};

/** The control of a question, by its type. */
export function QuestionInput(props: QuestionProps) {
  const Input = INPUTS[props.asked.question.type];
  return <Input {...props} />;
}

function Sent(props: QuestionProps) {
  const { Files, asked } = props;
  if (Files) return <Files {...props} />;
  return <p className={styles.hint}>{answerText(asked) || 'Files can be added when the questionnaire is answered.'}</p>;
}
