import type { ComponentType } from 'react';
import type { Asked } from '../../../domain/questionnaire/course.ts';

/** The properties of a question's input. */
export interface QuestionProps {
  asked: Asked;
  /** Prefix of the ids of its controls; `<id>-text` is the question, `<id>-message` the error. */
  id: string;
  fixed: boolean;
  invalid: boolean;
  /** The seed for a stable shuffled order. */
  seed: string;
  onChange: (value: unknown) => void;
  /** Uploads files and signatures; absent: uploads are not possible, as in a preview. */
  Files?: ComponentType<QuestionProps> | undefined;
  /** Shows a picture of a choice. */
  Picture?: ComponentType<PictureProps> | undefined;
}

export interface PictureProps {
  image: number;
  label: string;
  className: string | undefined;
}

/** The accessible name of a question's control. */
export const named = ({ id, invalid, asked }: QuestionProps) => ({
  'aria-labelledby': `${id}-text`,
  'aria-describedby': `${id}-message`,
  ...(invalid && { 'aria-invalid': true as const }),
  ...(asked.required && { 'aria-required': true as const }),
});
