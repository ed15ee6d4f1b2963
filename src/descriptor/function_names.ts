import type { JsonSchema } from './types.ts';

/** The properties of a module's function that the check of descriptors needs. */
export interface KnownFunction {
  /** The schema of its arguments. */
  args?: JsonSchema;
  /** It can be taken back. */
  reverses?: boolean;
}

/** The names of the server's functions by kind; absent kinds are not checked. */
export interface FunctionNames {
  reports?: ReadonlySet<string>;
  /** Functions that return the rows of tiles. */
  sources?: ReadonlySet<string>;
  guards?: ReadonlySet<string>;
  effects?: ReadonlySet<string>;
  fills?: ReadonlySet<string>;
  actions?: ReadonlySet<string>;
  /** Events that modules emit. */
  events?: ReadonlySet<string>;
  targets?: ReadonlySet<string>;
  /** Jobs that take transitions of records. */
  jobs?: ReadonlySet<string>;
  /** Functions named in jobs.json, with their arguments. */
  scheduled?: ReadonlyMap<string, { args?: JsonSchema }>;
  /** Events of notification rules. */
  notices?: ReadonlySet<string>;
  /** The properties of effects and guards besides their names. */
  described?: Record<'effects' | 'guards', ReadonlyMap<string, KnownFunction>>;
}

/** The kinds of functions. */
export type FunctionKind = Exclude<keyof FunctionNames, 'described' | 'scheduled'>;
