import type { JsonSchema } from '../../src/descriptor/types.ts';

const text: JsonSchema = { type: 'string', maxLength: 40 };
const day: JsonSchema = { type: 'string', format: 'date' };
const id: JsonSchema = { type: 'integer', minimum: 1, maximum: 12 };
const flag: JsonSchema = { type: 'boolean' };
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, minItems: 1, maxItems: 3 });
const version: JsonSchema = { type: 'integer', minimum: 1, maximum: 3 };
const device = object({ device_token: text, device_type: text, device_name: text, user_id: id }, ['device_token']);

/** Bodies of calls whose handlers read them themselves: what a right one looks like. */
export const BODIES: Record<string, JsonSchema> = {
  'PUT /{type}/bulk': object({ ids: list(id), set: object({ active: flag, name: text, remarks: text }, []) }),
  'POST /{type}/bulk_delete': object({ ids: list(id), mode: { enum: ['deactivate', 'activate', 'delete'] } }),
  'POST /{type}/views': object({ name: text, shared: flag, state: object({ sort: text }, []) }),
  'PUT /{type}/views/{id}': object({ name: text, shared: flag, state: object({ sort: text }, []) }),
  'POST /{type}/{id}/activate': object({ version }),
  'POST /{type}/{id}/deactivate': object({ version }),
  'POST /{type}/{id}/comments': object({ text }),
  'POST /{type}/export': object({ filter: { type: 'array' }, q: text, sort: text, columns: text, active: text }, []),
  'PUT /update_user_logged_data/{user_id}/{schema}': object({
    user_dataset: object({ logged_date: day, expiry_date: day }),
  }),
  'PUT /update_users_device/{device_id}': device,
  'POST /notification_token': object({ notification_token: device }),
  'POST /analytics_token_update': object({ email: text }),
  'PUT /reporting_lines/{id}': object({ reporting_to_id: id, version }),
  'PUT /my_profile': object({ version, mobile: text, alternate_phone: text, current_address: text }, ['version']),
  'POST /employee/{id}/move': object(
    { effective_from: day, version, change: text, reason: text, branch_id: id, designation_id: id, grade_id: id },
    ['effective_from', 'version'],
  ),
  'POST /employee/{id}/leave': object({
    last_working_day: day,
    leaving_reason_id: id,
    version,
    reason: text,
    hand_over_to: id,
  }),
  'POST /employee/{id}/stay': object({ version }),
  'POST /employee/{id}/rejoin': object({ effective_from: day, version }),
  'POST /delegation/{id}/revoke': object({ version, reason: text }),
  'POST /tis_inspection/{id}/start': object({ version }),
  'POST /tis_inspection/{id}/submit': object({ version, remark: text }, ['version']),
  'POST /tis_inspection/{id}/send_back': object({ version, reason: text, remark: text }),
  'POST /tis_inspection/{id}/review': object({ version, remark: text }),
  'POST /tis_inspection/{id}/issue': object({ version, remark: text }),
  'POST /api_config/{id}/test': object({ event: text, payload: object({ id }) }, []),
  'POST /sync_job/{id}/run': object({ dry: flag }, []),
  'POST /sync_reject/{id}/retry': object({ payload: object({ code: text, name: text }) }),
  'POST /import/{id}/commit': object({ again: flag }, []),
  'POST /blog/{id}/preview': object({ version }, []),
  'POST /client_account/{id}/switch_off': object({ reason: text, from: day }),
  'POST /client_account/{id}/switch_on': object({ reason: text }),
  'POST /client_account/{id}/purge': object({ confirm: text, second_user: text }),
  'POST /client_account/{id}/ask_access': object({
    reason: text,
    minutes: { type: 'integer', minimum: 5, maximum: 60 },
  }),
  'POST /client_account/{id}/open_access': object({
    reason: text,
    minutes: { type: 'integer', minimum: 5, maximum: 60 },
  }),
  'POST /support_access/{id}/agree': object({ version }),
  'POST /support_access/{id}/refuse': object({ version }),
  'POST /support_access/{id}/end': object({ version }),
  'POST /enquiry': object({
    name: text,
    company: text,
    email: { type: 'string', format: 'email' },
    phone: text,
    message: text,
    from: text,
  }),
  'POST /analytics_verify_token': object({ token: text }),
  'POST /analytics_users_add': object(
    { email: { type: 'string', format: 'email' }, product_code: text, sub_domain: text, note: text },
    ['email'],
  ),
  'PUT /analytics_users_edit/{id}': object({ email: text, product_code: text, note: text, version }, []),
  'POST /get_collection/data': object(
    { collection: text, filter: object({ code: text, name: text }, []), page: id, size: id },
    ['collection'],
  ),
  'POST /update_sync_datas': object({ collections: list(text) }),
  'POST /form_master_sync_add': object({ form_id: id }),
};
