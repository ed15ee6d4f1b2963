import { Button } from '@fluentui/react-components';
import { ArrowLeftRegular } from '@fluentui/react-icons';
import { useRef, useState } from 'react';
import { usePhone, useSession } from '../../../app/session.ts';
import type { PageProps } from '../../page_props.ts';
import { LookFrame } from '../LookFrame.tsx';
import { MoreNote } from '../MoreNote.tsx';
import { useLookParameters } from '../use_look.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { LevelList } from './LevelList.tsx';
import type { Chosen } from './LevelList.tsx';
import { Preview } from './Preview.tsx';
import styles from './tree_preview.module.css';

const MAX_RECORDS = 200;

/** The records of a list with their children, and a preview of the selected one; on a phone one or the other. */
export default function TreePreviewPage(props: PageProps) {
  const { screen } = props;
  const phone = usePhone();
  const { entityId } = useSession();
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: useLookParameters(screen),
    within: null,
    columns: screen.label,
    sort: screen.sort,
    max: MAX_RECORDS,
  });
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [first] = rows ?? [];
  const shown = chosen ?? (phone || !first ? null : { type: screen.name, id: first.id });
  const tree = useRef<HTMLDivElement>(null);
  return (
    <LookFrame {...props} look="tree_preview" count={rows?.length ?? null} more={more} error={error} retry={refresh}>
      {more && <MoreNote shown={MAX_RECORDS} />}
      <div className={styles.frame} data-phone={phone || undefined}>
        <div
          ref={tree}
          className={styles.tree}
          hidden={phone && shown !== null}
          role="group"
          aria-label={`Tree of ${screen.plural}`}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
            const nodes = [...(tree.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
            const at = nodes.indexOf(document.activeElement as HTMLElement);
            if (at < 0) return;
            event.preventDefault();
            nodes[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
          }}
        >
          <LevelList
            screen={screen}
            rows={rows ?? []}
            levels={screen.looks!.tree_preview!.levels}
            chosen={shown}
            onChoose={setChosen}
          />
        </div>
        {shown && (
          <section className={styles.preview} aria-label="Preview">
            {phone && (
              <Button appearance="subtle" icon={<ArrowLeftRegular />} onClick={() => setChosen(null)}>
                All
              </Button>
            )}
            <Preview key={`${shown.type} ${shown.id}`} {...shown} />
          </section>
        )}
      </div>
    </LookFrame>
  );
}
