import { Readable } from 'node:stream';
import type { WireRecord } from '../../../descriptor/types.ts';
import { FileStore } from '../../services/files/store.ts';
import { DemoPerson } from './demo_people.ts';
import { signature } from './signature.ts';

export type Row = Record<string, unknown>;

const MAX_BYTES = 64 * 1024;

/** The actions of one person in the stores. */
export class Stores extends DemoPerson {
  point = (code: string): number => this.id('stock_point', code);
  employee = (no: string): number => this.id('employee', no);

  line(item: string, qty: string, more: Row = {}): Row {
    return { item_id: this.id('item_mstr', item), condition: 'new', qty, ...more };
  }

  /** The newest record of a type with this value. @throws Error if there is none */
  newest(type: string, field: string, value: unknown): Promise<WireRecord> {
    return this.act(async (unit) => {
      const [found] = await unit.query<{ id: number }>(
        `select id from {${type}} where ${field} = $1 order by id desc limit 1`,
        [value],
      );
      if (!found) throw new Error(`demo: there is no ${type} with ${field} ${String(value)}.`);
      return unit.read(type, Number(found.id));
    });
  }

  /** Takes a transition that asks for a reason. */
  because(record: WireRecord, type: string, name: string, reason: string): Promise<WireRecord> {
    return this.step(record, type, name, { reason });
  }

  /** Signs for a field. @returns the file */
  sign(field: string, dataDir: string): Promise<number> {
    return this.act(async ({ session }) => {
      const picture = Readable.from([signature()]);
      return (await new FileStore(dataDir, MAX_BYTES).save(session, 'Signature.png', picture, field)).id;
    });
  }
}

/** The author of a document does not approve it, and the two approvals of a request come from two people. */
export interface People {
  keeper: Stores;
  manager: Stores;
  engineer: Stores;
}

/** The people as they act a number of days ago. */
export type PeopleOn = (daysAgo: number) => People;
