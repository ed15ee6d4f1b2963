import { useMemo } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import { MAX_FILES } from '../../../domain/questionnaire/answer_form.ts';
import FileWidget from '../fields/files/FileWidget.tsx';
import SignatureWidget from '../fields/signature/SignatureWidget.tsx';
import type { FieldHost } from '../fields/widget.ts';
import { FieldHostContext, useFieldHost } from '../fields/widget.ts';
import type { QuestionProps } from './question_props.ts';
import styles from './questionnaire.module.css';

/** Files and signatures of an answer, uploaded for the answers field. */
export function storedFiles(answers: Field) {
  return function StoredFiles({ asked, id, fixed, invalid, onChange }: QuestionProps) {
    const { question, value } = asked;
    const files = Array.isArray(value) ? (value as number[]) : [];
    const outer = useFieldHost();
    const host = useMemo<FieldHost | null>(
      () => outer && { ...outer, values: () => ({}), subscribe: () => () => undefined },
      [outer],
    );
    const signature = question.type === 'signature';
    const type = signature ? 'signature' : question.pictures ? 'image' : 'file';
    const field: Field = { ...answers, type, title: question.text, readOnly: false };
    const max = signature ? 1 : (question.maxChoices ?? MAX_FILES);
    const places = fixed ? files : files.length < max ? [...files, null] : files;
    return (
      <div className={styles.list}>
        {places.map((file, at) => {
          const set = (next: unknown) => {
            const all = files.toSpliced(at, file === null ? 0 : 1, ...(typeof next === 'number' ? [next] : []));
            onChange(all.length === 0 ? null : all);
          };
          const props = {
            field,
            id: at === 0 ? id : `${id}-${at}`,
            value: file,
            readOnly: fixed,
            invalid,
            onChange: set,
          };
          const own = host && {
            ...host,
            setValues: (patch: Record<string, unknown>) => set(patch[answers.name] ?? null),
          };
          return (
            <FieldHostContext key={file ?? 'next'} value={own}>
              {signature ? <SignatureWidget {...props} /> : <FileWidget {...props} />}
            </FieldHostContext>
          );
        })}
        {places.length === 0 && <span className={styles.hint}>–</span>}
      </div>
    );
  };
}
