import { Badge, Button, DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Field } from '../../../descriptor/types.ts';
import { formatDate, formatValue } from '../../../descriptor/format.ts';
import { pageAddress, useScreenRef } from '../../api/screens.ts';
import { usePhone } from '../../app/session.ts';
import type { TeamPerson } from './people_model.ts';
import { depthWords } from './people_model.ts';
import { PersonPhoto } from '../../runtime/fields/files/PersonPhoto.tsx';
import styles from './people.module.css';

/** A team member's details and contacts. */
export default function PersonCard({
  person,
  team,
  onChoose,
  onClose,
}: {
  person: TeamPerson;
  team: TeamPerson[];
  onChoose: (person: TeamPerson) => void;
  onClose: () => void;
}) {
  const phone = usePhone();
  const members = useScreenRef('employee');
  const record = members ? pageAddress(members, 'view_screen', person.id) : null;
  const manager = team.find(({ id }) => id === person.manager_id);
  const below = team.filter((one) => one.manager_id === person.id);
  return (
    <OverlayDrawer
      open
      position="end"
      size={phone ? 'full' : 'small'}
      onOpenChange={(_, { open }) => !open && onClose()}
      aria-label={person.name}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
        >
          Person
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>
        <div className={styles.cardHead}>
          <PersonPhoto name={person.name} photo={person.photo} size={72} />
          <div>
            <h2>{person.name}</h2>
            <p>{person.designation}</p>
            <div className={styles.badges}>
              {person.depth > 0 && <Badge appearance="tint">{depthWords(person.depth)}</Badge>}
              {person.status === 'on_notice' && (
                <Badge appearance="tint" color="warning">
                  On notice
                </Badge>
              )}
            </div>
          </div>
        </div>
        <dl className={styles.facts}>
          <Fact title="Employee number">{person.empno}</Fact>
          <Fact title="Reports to">
            {manager ? (
              <button type="button" className={styles.link} onClick={() => onChoose(manager)}>
                {manager.name}
              </button>
            ) : (
              person.manager
            )}
          </Fact>
          <Fact title="Department">{person.department}</Fact>
          <Fact title="Branch">{person.branch}</Fact>
          <Fact title="Company">{person.company}</Fact>
          <Fact title="Mobile">
            {person.mobile && (
              <a href={`tel:${person.mobile}`}>{formatValue({ type: 'phone' } as Field, person.mobile)}</a>
            )}
          </Fact>
          <Fact title="Work e-mail">
            {person.work_email && <a href={`mailto:${person.work_email}`}>{person.work_email}</a>}
          </Fact>
          <Fact title="Joined">{person.date_of_joining && formatDate(person.date_of_joining)}</Fact>
        </dl>
        {(person.tasks ?? []).length > 0 && (
          <>
            <h3 className={styles.heading}>To do</h3>
            <ul className={styles.tasks}>
              {person.tasks!.map((task) => (
                <li key={`${task.type} ${task.title}`}>
                  <Link to={task.route} className={styles.link}>
                    {task.title}
                  </Link>
                  <span className={styles.muted}>
                    {task.open} open{task.late > 0 && `, ${task.late} late`} · next {formatDate(task.next)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        {below.length > 0 && (
          <>
            <h3 className={styles.heading}>
              {below.length === 1 ? '1 person reports' : `${below.length} people report`} to {person.name.split(' ')[0]}
            </h3>
            <ul className={styles.below}>
              {below.map((one) => (
                <li key={one.id}>
                  <button type="button" onClick={() => onChoose(one)}>
                    <PersonPhoto name={one.name} photo={one.photo} size={32} />
                    <span className={styles.two}>
                      <span>{one.name}</span>
                      <span className={styles.muted}>{one.designation}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        {record !== null && (
          <p>
            <Link to={record} className={styles.link}>
              Open the record
            </Link>
          </p>
        )}
      </DrawerBody>
    </OverlayDrawer>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}
