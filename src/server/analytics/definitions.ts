import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A collection that comes with the product: `schemas/collections.json`. `{s}` in the query is the client's schema. */
export interface CollectionDefinition {
  code: string;
  title: string;
  description: string;
  /** Types whose tables the query reads. */
  types: string[];
  key_fields: string[];
  schedule: string;
  /** One SELECT with a column `key`; `entity_id`, `branch_id` and `employee_id`, where it has them, say who may see a row. */
  sql: string;
}

/** A figure over time out of a collection. */
export interface KpiDefinition {
  id: number;
  name: string;
  unit: string;
  collection: string;
  /** The row's day or month; without one the figure is today's. */
  date?: string;
  value: string;
  total: 'sum' | 'max';
  /** Only rows with these values. */
  where?: Record<string, string>;
}

export interface Definitions {
  collections: CollectionDefinition[];
  kpis: KpiDefinition[];
}

export function readDefinitions(schemasDir: string): Definitions {
  return JSON.parse(readFileSync(join(schemasDir, 'collections.json'), 'utf8')) as Definitions;
}
