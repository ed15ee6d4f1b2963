import { Spinner } from '@fluentui/react-components';
import { FieldValue } from '../display.tsx';
import { recordTitle, useRecordFacts } from './record_facts.ts';
import styles from './reference.module.css';

/** A record's main facts, as on its card in the list. */
export default function RecordCard({ type, id }: { type: string; id: number }) {
  const { facts, error } = useRecordFacts(type, id);
  if (error) return <p className={styles.note}>{error}</p>;
  if (!facts) return <Spinner size="tiny" label="Loading" className={styles.note ?? ''} />;
  const { screen, record } = facts;
  const title = recordTitle(screen, record);
  const fields = [...screen.card, ...screen.grid.map(({ field }) => field)]
    .filter((name, index, all) => all.indexOf(name) === index)
    .flatMap((name) => screen.fields.find((field) => field.name === name) ?? [])
    .filter((field) => record[field.name] !== null && record[field.name] !== undefined && record[field.name] !== title)
    .slice(0, 6);
  return (
    <div className={styles.card}>
      <p className={styles.cardTitle}>{title}</p>
      <dl className={styles.facts}>
        {fields.map((field) => (
          <Fact key={field.name} title={field.title}>
            <FieldValue field={field} value={record[field.name]} record={record} plain />
          </Fact>
        ))}
      </dl>
    </div>
  );
}

function Fact({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}
