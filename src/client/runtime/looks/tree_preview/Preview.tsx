import { Link } from 'react-router-dom';
import type { Screen } from '../../../../descriptor/types.ts';
import { pageAddress, useScreen, useScreenRef } from '../../../api/screens.ts';
import { ErrorView, Skeleton } from '../../../app/page.tsx';
import { RecordView } from '../../form/RecordView.tsx';
import { recordLabel } from '../../landing/cell_text.ts';
import { useLiveRecord } from '../use_live_record.ts';
import type { Chosen } from './LevelList.tsx';
import styles from './tree_preview.module.css';

/** The content of a record as on its page, with links to open and edit it. */
export function Preview({ type, id }: Chosen) {
  const { screen, error, retry } = useScreen(type);
  if (error) return <ErrorView error={error} retry={retry} />;
  return screen ? <LoadedPreview screen={screen} id={id} /> : <Skeleton rows={6} />;
}

function LoadedPreview({ screen, id }: { screen: Screen; id: number }) {
  const access = useScreenRef(screen.name);
  const { record, error, reload } = useLiveRecord(screen, id);
  if (error && !record) return <ErrorView error={error} retry={reload} />;
  if (!record) return <Skeleton rows={6} label="Loading the preview" />;
  const view = access && pageAddress(access, 'view_screen', id);
  const edit = access && pageAddress(access, 'edit_screen', id);
  return (
    <>
      <h2>
        {recordLabel(screen, record)} <span>{screen.title}</span>
      </h2>
      <p className={styles.ways}>
        {view && <Link to={view}>Open</Link>}
        {edit && <Link to={edit}>Edit</Link>}
      </p>
      <RecordView screen={screen} record={record} />
    </>
  );
}
