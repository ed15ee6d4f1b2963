import { defaultValue } from './default_value.ts';
import { description } from './description.ts';
import { enumeration } from './enum.ts';
import { formatMinimum, formatMaximum } from './format_limits.ts';
import { items } from './items.ts';
import { was } from './was.ts';
import { xAcrossCompanies } from './x_across_companies.ts';
import { xBands } from './x_bands.ts';
import { xCamera } from './x_camera.ts';
import { xColours } from './x_colours.ts';
import { xColumns } from './x_columns.ts';
import { xCurrency } from './x_currency.ts';
import { xUnitOf } from './x_unit_of.ts';
import { xDefault } from './x_default.ts';
import { xFetch } from './x_fetch.ts';
import { xFieldsOf } from './x_fields_of.ts';
import { xFormula } from './x_formula.ts';
import { xGivenRows } from './x_given_rows.ts';
import { xHidden } from './x_hidden.ts';
import { xLabels } from './x_labels.ts';
import { xOf } from './x_of.ts';
import { xOnce } from './x_once.ts';
import { xOverride } from './x_override.ts';
import { xPart } from './x_part.ts';
import { xPeriods } from './x_periods.ts';
import { xPrecision } from './x_precision.ts';
import { xReadonly } from './x_readonly.ts';
import { xRef } from './x_ref.ts';
import { xRefBy } from './x_ref_by.ts';
import { xRefFilter } from './x_ref_filter.ts';
import { xRequiredWhen } from './x_required_when.ts';
import { xColoursOf } from './x_colours_of.ts';
import { xRisk } from './x_risk.ts';
import { xSeconds } from './x_seconds.ts';
import { xSecret } from './x_secret.ts';
import { xGroup } from './x_group.ts';
import { xSave } from './x_save.ts';
import { xSections } from './x_sections.ts';
import { xShape } from './x_shape.ts';
import { xTotal } from './x_total.ts';
import { xCopied } from './x_copied.ts';
import { xTrim } from './x_trim.ts';
import { xTree } from './x_tree.ts';
import { xUnique } from './x_unique.ts';
import { xUnit } from './x_unit.ts';
import { xValid } from './x_valid.ts';
import { xValues } from './x_values.ts';
import { xVisible } from './x_visible.ts';
import { xOffered } from './x_offered.ts';
import { xWhen } from './x_when.ts';
import { pattern } from './pattern.ts';
import { jsonSchemaWords } from './json_schema.ts';
import type { FieldWord } from '../word.ts';

/** Every word of a field, in the order in which they are compiled and checked. */
export const fieldWords: readonly FieldWord[] = [
  ...jsonSchemaWords,
  xSecret,
  was,
  description,
  defaultValue,
  pattern,
  xDefault,
  xValues,
  xUnit,
  xCurrency,
  xPrecision,
  xTrim,
  xCopied,
  formatMinimum,
  formatMaximum,
  xSeconds,
  xFormula,
  xTotal,
  xWhen,
  xRequiredWhen,
  xReadonly,
  xOnce,
  xHidden,
  xVisible,
  xOverride,
  xRisk,
  enumeration,
  xLabels,
  xColours,
  xOffered,
  xRef,
  xRefBy,
  xOf,
  xFieldsOf,
  xShape,
  xRefFilter,
  xAcrossCompanies,
  xFetch,
  items,
  xPart,
  xPeriods,
  xSave,
  xTree,
  xColumns,
  xSections,
  xUnique,
  xGivenRows,
  xGroup,
  xValid,
  xBands,
  xCamera,
  xUnitOf,
  xColoursOf,
];
