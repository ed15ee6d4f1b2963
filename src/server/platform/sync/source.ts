import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import { fileSource } from './file_source.ts';
import { openJson } from './json_source.ts';
import { mssqlSource } from './mssql_source.ts';
import { mysqlSource } from './mysql_source.ts';
import { oracleSource } from './oracle_source.ts';
import { postgresSource } from './postgres_source.ts';
import { MAX_ROWS } from './row_slices.ts';
import { sftpSource } from './sftp_source.ts';
import { reachOf, refusedAddress } from './source_address.ts';
import type { Asked, DriverError, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { networkMessage, otherMessage } from './source_messages.ts';

const KINDS: Record<SourceRow['kind'], SourceKind> = {
  postgres: postgresSource,
  mysql: mysqlSource,
  mssql: mssqlSource,
  oracle: oracleSource,
  http_json: {
    open: ({ thisMachine, privateNetworks }, _tenant, source, { from }) =>
      openJson(source, from, { reach: reachOf(source, { thisMachine, privateNetworks }), maxRows: MAX_ROWS }),
  },
  sftp_file: sftpSource,
  upload_file: fileSource,
};

/** Opens a source for reading. @throws AppError 422 with what to correct, 503 if it does not answer; so do `rows` */
export async function openSource(
  deps: SourceDeps,
  tenant: Tenant,
  source: SourceRow,
  asked: Asked,
): Promise<OpenSource> {
  const opened = await inWords(source, () => KINDS[source.kind].open(deps, tenant, source, asked));
  return {
    ...opened,
    async *rows() {
      try {
        yield* opened.rows();
      } catch (error) {
        throw readable(source, error);
      }
    },
  };
}

/**
 * The content of a source, at most 200 entries: readable tables and views, files of a folder, columns of a file.
 * @throws AppError as `openSource`
 */
export async function contentsOf(deps: SourceDeps, tenant: Tenant, source: SourceRow): Promise<string[]> {
  const { contents } = KINDS[source.kind];
  if (contents) return inWords(source, () => contents(deps, source));
  const opened = await openSource(deps, tenant, source, { query: null, filePattern: null, from: null });
  await opened.close();
  return opened.columns.map(({ name }) => name);
}

async function inWords<T>(source: SourceRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readable(source, error);
  }
}

/** A driver's error as a readable message. */
function readable(source: SourceRow, error: unknown): AppError {
  const refusedHost = refusedAddress(error);
  if (refusedHost instanceof AppError) return refusedHost;
  const thrown = error as DriverError;
  const known = KINDS[source.kind].explain?.(thrown, source) ?? networkMessage(thrown, source);
  const words = known ?? otherMessage(thrown, source);
  const refused = new AppError(503, 'unavailable', words);
  refused.cause = error;
  return refused;
}
