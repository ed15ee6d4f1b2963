/** The GSTINs of a customer. */
export const gstinsOf = (record: Readonly<Record<string, unknown>> | null): string[] =>
  ((record?.gst_registrations ?? []) as { gstin?: unknown }[]).flatMap(({ gstin }) =>
    typeof gstin === 'string' && gstin !== '' ? [gstin] : [],
  );
