import type { FieldError } from '../../descriptor/types.ts';

/**
 * A readable refusal: becomes `{"error":{code,message,field,reason,details,request_id,...extra}}` with `status`. Any
 * other error becomes 500 `internal` without details.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly reason: string | null;
  readonly details: FieldError[];
  /** Further members of the error object, e.g. `theirs` of a stale version, `used_by` of a delete in use. */
  readonly extra: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { field?: string; reason?: string; details?: FieldError[]; extra?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = more.field ?? null;
    this.reason = more.reason ?? null;
    this.details = more.details ?? [];
    this.extra = more.extra ?? {};
  }
}

/** 404 with the same message for absent, other tenant, other company and out of scope. */
export function notFound(): AppError {
  return new AppError(404, 'not_found', 'This record does not exist or is not visible to you.');
}

/** 422 with one finding per field; the first one is also `field` and `message`. */
export function invalid(details: FieldError[]): AppError {
  const first = details[0];
  return new AppError(422, 'invalid', first?.message ?? 'Some values are not valid.', {
    details,
    ...(first && { field: first.field }),
  });
}
