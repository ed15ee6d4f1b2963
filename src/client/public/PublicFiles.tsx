import { useState } from 'react';
import { MAX_FILES } from '../../domain/questionnaire/answer_form.ts';
import { useDrawing } from '../runtime/fields/signature/use_drawing.ts';
import { clientName } from '../runtime/questionnaire/answer_queue.ts';
import type { QuestionProps } from '../runtime/questionnaire/question_props.ts';
import { named } from '../runtime/questionnaire/question_props.ts';
import { fileOf, sendFile } from './public_calls.ts';

/** Files and signatures of an answer, uploaded through the page's link. */
export function publicFiles(token: string) {
  return function PublicFiles(props: QuestionProps) {
    const { asked, id, fixed, onChange } = props;
    const { question, key, value } = asked;
    const files = Array.isArray(value) ? (value as number[]) : [];
    const [state, setState] = useState<{ sending: boolean; problem: string | null }>({ sending: false, problem: null });
    const signature = question.type === 'signature';
    const max = signature ? 1 : (question.maxChoices ?? MAX_FILES);
    const add = async (chosen: readonly File[]) => {
      setState({ sending: true, problem: null });
      let all = files;
      try {
        for (const file of chosen) {
          all = [...all, (await sendFile(token, key, file, clientName())).id];
          // The server has stored it already, so only the display is updated.
          onChange(all);
        }
        setState({ sending: false, problem: null });
      } catch (error) {
        setState({ sending: false, problem: (error as Error).message });
      }
    };
    return (
      <div className="files">
        {files.map((file, at) => (
          <figure key={file}>
            <Thumbnail address={fileOf(token, file)} name={signature ? 'Your signature' : `File ${at + 1}`} />
            {!fixed && (
              <button
                type="button"
                onClick={() => onChange(files.length === 1 ? null : files.filter((one) => one !== file))}
              >
                {signature ? 'Sign again' : `Remove file ${at + 1}`}
              </button>
            )}
          </figure>
        ))}
        {!fixed &&
          files.length < max &&
          !state.sending &&
          (signature ? (
            <Pad props={props} onPicture={(file) => void add([file])} />
          ) : (
            <input
              id={id}
              type="file"
              multiple={max - files.length > 1}
              {...named(props)}
              onChange={({ target }) => void add([...(target.files ?? [])].slice(0, max - files.length))}
            />
          ))}
        {state.sending && <p role="status">Sending…</p>}
        {state.problem !== null && (
          <p className="wrong" role="alert">
            {state.problem}
          </p>
        )}
      </div>
    );
  };
}

/** A picture, or the file name if it is not one. */
function Thumbnail({ address, name }: { address: string; name: string }) {
  const [isPicture, setPicture] = useState(true);
  return isPicture ? <img src={address} alt={name} onError={() => setPicture(false)} /> : <span>{name}</span>;
}

function Pad({ props, onPicture }: { props: QuestionProps; onPicture: (file: File) => void }) {
  const { drawn, clear, picture, surface } = useDrawing();
  return (
    <div className="pad">
      <canvas {...surface} aria-label={`${props.asked.question.text}: draw your signature here`} />
      <button type="button" id={props.id} disabled={!drawn} onClick={() => picture(onPicture)}>
        Use this signature
      </button>
      <button type="button" disabled={!drawn} onClick={clear}>
        Clear
      </button>
    </div>
  );
}
