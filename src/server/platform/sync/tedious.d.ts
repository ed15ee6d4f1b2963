/** The part of SQL Server's driver that is used; the driver itself is added only where it is needed. */
declare module 'tedious' {
  import type { Socket } from 'node:net';

  export interface ConnectionConfiguration {
    server: string;
    authentication: { type: 'default'; options: { userName: string; password: string } };
    options?: {
      port?: number;
      database?: string;
      connector?: () => Promise<Socket>;
      encrypt?: boolean;
      trustServerCertificate?: boolean;
      connectTimeout?: number;
      requestTimeout?: number;
      maxRetriesOnTransientErrors?: number;
      readOnlyIntent?: boolean;
      enableQuotedIdentifier?: boolean;
      appName?: string;
      useUTC?: boolean;
    };
  }

  export class Connection {
    constructor(config: ConnectionConfiguration);
    on(event: 'error', listener: (error: Error) => void): this;
    connect(done: (error?: Error) => void): void;
    beginTransaction(done: (error?: Error | null) => void): void;
    execSqlBatch(request: Request): void;
    close(): void;
  }

  export class Request {
    constructor(sql: string, done: (error?: Error | null) => void);
    on(event: 'columnMetadata', listener: (columns: unknown) => void): this;
    on(event: 'row', listener: (row: { value: unknown }[]) => void): this;
    pause(): void;
    resume(): void;
  }
}
