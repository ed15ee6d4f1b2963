import type { Report, ReportDescriptor } from '../domain/report.ts';
import type { SourceFile } from './compile.ts';
import { DASHBOARD_WORDS, REPORT_WORDS, fileHasRightShape } from './meta_check.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, Screen } from './types.ts';

/** The properties common to reports and dashboards. */
type Kind = 'report' | 'dashboard';

const WORDS: Record<Kind, ReadonlySet<string>> = { report: REPORT_WORDS, dashboard: DASHBOARD_WORDS };

/** True for a file that describes a report, or a dashboard. */
export function isFiguresFile(kind: Kind, descriptor: unknown): boolean {
  return descriptor !== null && typeof descriptor === 'object' && (descriptor as { kind?: unknown }).kind === kind;
}

/** Checks the words, the name and the shape of a file; errors are reported to `source`. */
export function isWellFormed(kind: Kind, { name }: SourceFile, descriptor: object, source: Source): boolean {
  for (const word of Object.keys(descriptor))
    if (!WORDS[kind].has(word)) source.report([word], `Unknown word "${word}".`, didYouMean(word, WORDS[kind]));
  if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > 40)
    source.report(
      [],
      `"${name}" cannot be a ${kind}'s name.`,
      'Name the file with lower-case letters, digits and underscores.',
    );
  return fileHasRightShape(descriptor, source, kind);
}

/** Fields that refer to types that do not exist. */
export function checkReferences(
  fields: readonly Field[],
  screens: ReadonlyMap<string, Screen>,
  source: Source,
  at: (name: string) => (string | number)[],
): void {
  for (const { type, ref, name } of fields)
    if (type === 'ref' && !screens.has(ref!.type))
      source.report(at(name), `There is no record type "${ref!.type}".`, didYouMean(ref!.type, screens.keys()));
}

/** The words common to all reports and dashboards: name, access, menu place. */
export function headOf(
  kind: Kind,
  { name, folder }: Pick<SourceFile, 'name' | 'folder'>,
  {
    title,
    description,
    icon,
    access,
    route,
    menu,
  }: Pick<ReportDescriptor, 'title' | 'description' | 'icon' | 'access' | 'route' | 'menu'>,
): Pick<Report, 'name' | 'folder' | 'title' | 'description' | 'icon' | 'access' | 'route' | 'menu'> {
  return {
    name,
    folder,
    title,
    ...(description && { description }),
    ...(icon && { icon }),
    access: {
      screens: [access.screen].flat(),
      products: [access.product ?? []].flat(),
      modules: [access.module ?? 'MASTERS'].flat(),
      action: access.action ?? null,
      everyone: access.everyone === true,
      common: access.common === true,
    },
    route: route ?? `/${kind}s/${name}`,
    menu: { ...menu, hidden: menu?.hidden === true },
  };
}
