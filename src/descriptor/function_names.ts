/** The names of the server's functions by what they are used for; what is absent is not checked. */
export interface FunctionNames {
  reports?: ReadonlySet<string>;
  guards?: ReadonlySet<string>;
  effects?: ReadonlySet<string>;
  fills?: ReadonlySet<string>;
  actions?: ReadonlySet<string>;
  /** Events that modules emit. */
  events?: ReadonlySet<string>;
  targets?: ReadonlySet<string>;
}
