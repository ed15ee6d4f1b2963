import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Input,
} from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import type { TreeModel, TreeNode } from '../../runtime/tree/tree_model.ts';
import { today } from '../../../descriptor/place.ts';
import { DateWidget } from '../../runtime/fields/date.tsx';
import { candidates, refusalOfMove } from './reporting_model.ts';
import styles from './people.module.css';

const FROM: Field = {
  name: 'effective_from',
  type: 'date',
  title: 'From',
  required: true,
  schema: { type: 'string' },
  secret: false,
  readOnly: false,
};

/** Chooses a person's new manager by search: the keyboard alternative to dragging. */
export default function MoveDialog({
  node,
  model,
  search,
  onMove,
  onClose,
}: {
  node: TreeNode;
  model: TreeModel;
  search: (text: string) => void;
  onMove: (manager: TreeNode | null, from: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [from, setFrom] = useState(() => today());
  const [chosen, setChosen] = useState<number | 'top' | null>(null);
  const people = useMemo(() => candidates(model, text).filter(({ id }) => id !== node.id), [model, text, node.id]);
  const below = model.countBelow(node.id);
  const manager = node.parent === null ? null : model.get(node.parent);
  const refusal = chosen === null ? null : refusalOfMove(model, node.id, chosen === 'top' ? null : chosen);
  const complete = useMemo(() => model.isComplete(), [model]);
  const searchServer = useEffectEvent((wanted: string) => {
    if (!complete) search(wanted);
  });
  useEffect(() => {
    if (text.trim().length < 2) return;
    const timer = setTimeout(() => searchServer(text), 250);
    return () => clearTimeout(timer);
  }, [text, search]);

  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen !== null && refusal === null)
              onMove(chosen === 'top' ? null : (model.get(chosen) ?? null), from);
          }}
        >
          <DialogBody>
            <DialogTitle>Move {node.label} to…</DialogTitle>
            <DialogContent>
              <p className={styles.hint}>
                {manager ? `Reports to ${manager.label} now.` : 'Reports to nobody now.'}{' '}
                {below > 0 && (below === 1 ? 'The person below moves too.' : `The ${below} people below move too.`)}
              </p>
              <Input
                autoFocus
                type="search"
                style={{ width: '100%' }}
                contentBefore={<SearchRegular />}
                placeholder="Name or employee number"
                aria-label="Search the new manager"
                value={text}
                onChange={(_, { value }) => setText(value)}
              />
              <div className={styles.choices} role="radiogroup" aria-label="New manager">
                {text.trim() === '' && node.parent !== null && (
                  <Choice
                    name="Nobody: at the top"
                    detail=""
                    value="top"
                    chosen={chosen === 'top'}
                    onChoose={() => setChosen('top')}
                  />
                )}
                {people.map((one) => (
                  <Choice
                    key={one.id}
                    name={one.label}
                    detail={[
                      one.detail,
                      typeof one.designation_id__label === 'string' ? one.designation_id__label : null,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                    value={String(one.id)}
                    chosen={chosen === one.id}
                    onChoose={() => setChosen(one.id)}
                  />
                ))}
                {people.length === 0 && text.trim() !== '' && (
                  <p className={styles.hint}>Nobody fits “{text.trim()}”.</p>
                )}
              </div>
              <div className={styles.from}>
                <label htmlFor="move-from">From</label>
                <DateWidget
                  field={FROM}
                  id="move-from"
                  required
                  value={from}
                  onChange={(value) => setFrom(typeof value === 'string' && value > today() ? value : today())}
                />
                <span className={styles.muted}>{from > today() ? 'Carried out on that day.' : 'At once.'}</span>
              </div>
              {refusal !== null && (
                <p className={styles.problem} role="alert">
                  {refusal}
                </p>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabledFocusable={chosen === null || refusal !== null}>
                {from > today() ? 'Plan the move' : 'Move'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

function Choice({
  name,
  detail,
  value,
  chosen,
  onChoose,
}: {
  name: string;
  detail: string;
  value: string;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label>
      <input type="radio" name="manager" value={value} checked={chosen} onChange={onChoose} />
      <span className={styles.two}>
        <span>{name}</span>
        {detail !== '' && <span className={styles.muted}>{detail}</span>}
      </span>
    </label>
  );
}
