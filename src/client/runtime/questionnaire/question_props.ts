import type { ComponentType } from 'react';
import type { Asked } from '../../../domain/questionnaire/course.ts';

/** What an input of a question is given. */
export interface QuestionProps {
  asked: Asked;
  /** Begins the ids of its controls; `<id>-text` is the question, `<id>-message` what is wrong. */
  id: string;
  fixed: boolean;
  invalid: boolean;
  /** Keeps a shuffled order the same. */
  seed: string;
  onChange: (value: unknown) => void;
  /** Takes files and signatures; absent: nothing can be sent, as in a preview. */
  Files?: ComponentType<QuestionProps> | undefined;
  /** Shows a picture of a choice. */
  Picture?: ComponentType<PictureProps> | undefined;
}

export interface PictureProps {
  image: number;
  label: string;
  className: string | undefined;
}

/** How a control of a question is named. */
export const named = ({ id, invalid, asked }: QuestionProps) => ({
  'aria-labelledby': `${id}-text`,
  'aria-describedby': `${id}-message`,
  ...(invalid && { 'aria-invalid': true as const }),
  ...(asked.required && { 'aria-required': true as const }),
});
