import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A predefined collection: `schemas/collections.json`. `{s}` in the query is the client's schema, `{today}` its current
 * day.
 */
export interface CollectionDefinition {
  code: string;
  title: string;
  description: string;
  /** Types whose tables the query reads. */
  types: string[];
  key_fields: string[];
  schedule: string;
  /**
   * One SELECT with a column `key`; `entity_id`, `branch_id` and `employee_id`, if present, decide who may see a row.
   */
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
  /** The figure is a percentage of this column: the totals are divided, not the rows. */
  per?: string;
  /** Only rows with these values. */
  where?: Record<string, string>;
}

/** A page of the administration host with the figures of one client. */
export interface ClientDashboardDefinition {
  /** The page's address without the slash. */
  code: string;
  title: string;
  /** Sub-domains of the clients it was made for; they are offered first. */
  clients: string[];
  /** Clients that hold one of these collections are offered too. */
  of: string[];
  kpis: number[];
}

export interface Definitions {
  collections: CollectionDefinition[];
  kpis: KpiDefinition[];
  client_dashboards: ClientDashboardDefinition[];
}

export function readDefinitions(schemasDir: string): Definitions {
  return JSON.parse(readFileSync(join(schemasDir, 'collections.json'), 'utf8')) as Definitions;
}
