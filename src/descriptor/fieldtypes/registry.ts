import type { FieldType } from './field_type.ts';
import { answers } from './answers.ts';
import { boolean } from './boolean.ts';
import { clock } from './clock.ts';
import { code } from './code.ts';
import { colour } from './colour.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import { decimal } from './decimal.ts';
import { duration } from './duration.ts';
import { email } from './email.ts';
import { enumeration } from './enum.ts';
import { file } from './file.ts';
import { financial_year } from './financial_year.ts';
import { geo } from './geo.ts';
import { gstin } from './gstin.ts';
import { ifsc } from './ifsc.ts';
import { image } from './image.ts';
import { integer } from './integer.ts';
import { json } from './json.ts';
import { long_text } from './long_text.ts';
import { money } from './money.ts';
import { month } from './month.ts';
import { name } from './name.ts';
import { pan } from './pan.ts';
import { percent } from './percent.ts';
import { phone } from './phone.ts';
import { pincode } from './pincode.ts';
import { quantity } from './quantity.ts';
import { rating } from './rating.ts';
import { record } from './record.ts';
import { ref } from './ref.ts';
import { refs } from './refs.ts';
import { rich_text } from './rich_text.ts';
import { rows } from './rows.ts';
import { signature } from './signature.ts';
import { tags } from './tags.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { url } from './url.ts';

const all = [
  answers,
  boolean,
  code,
  colour,
  date,
  datetime,
  decimal,
  duration,
  email,
  enumeration,
  file,
  financial_year,
  geo,
  gstin,
  ifsc,
  image,
  integer,
  json,
  clock,
  long_text,
  money,
  month,
  name,
  pan,
  percent,
  phone,
  pincode,
  quantity,
  rating,
  record,
  ref,
  refs,
  rich_text,
  rows,
  signature,
  tags,
  text,
  time,
  url,
];

/** Every field type by name: the complete list for descriptors. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map(all.map((type) => [type.name, type]));

/** The type with this name; an unknown name is treated as text, because a compiled screen never has one. */
export function fieldType(wanted: string): FieldType {
  return fieldTypes.get(wanted) ?? text;
}
