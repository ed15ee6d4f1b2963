import { Button } from '@fluentui/react-components';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { Parameter } from '../report/Parameter.tsx';
import { written } from '../report/report_view.ts';
import styles from '../report/report.module.css';

/** The default of a parameter, as written in an address. */
function beginsWith({ begins, default: usual }: Field): unknown {
  const value = begins === undefined ? usual : compileExpression(begins).evaluate({});
  return value !== null && typeof value === 'object' ? String(value) : value;
}

/** The parameters that the reader of a view chooses above its list. */
export default function ViewChoice({
  screen,
  chosen,
  onChoose,
}: {
  screen: Screen;
  /** As `p.` and the parameter, as in the address. */
  chosen: Readonly<Record<string, string>>;
  onChoose: (next: Record<string, string>) => void;
}) {
  return (
    <div className={styles.parameters} role="group" aria-label="What the list shows">
      {screen.parameters!.map((field) => {
        const key = `p.${field.name}`;
        return (
          <Parameter
            key={key}
            field={field}
            value={chosen[key] ?? beginsWith(field)}
            problem={null}
            onChange={(value) => {
              const { [key]: _before, ...rest } = chosen;
              const text = written(value, beginsWith(field));
              onChoose(text === null || text === '' ? rest : { ...rest, [key]: text });
            }}
          />
        );
      })}
      {Object.keys(chosen).length > 0 && (
        <Button appearance="subtle" className={styles.clear} onClick={() => onChoose({})}>
          Clear
        </Button>
      )}
    </div>
  );
}
