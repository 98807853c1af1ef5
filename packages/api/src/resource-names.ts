/** The names of the resources of the platform. The items of a resource refer only to items of earlier resources. */
export const RESOURCE_NAMES = [
  'materials',
  'workflows',
  'projects',
  'jobs',
  'properties',
  'bank-materials',
  'bank-workflows',
  'metaproperties',
  'charges',
  'raw-properties',
  'refined-properties',
  'samples',
  'measurements',
] as const
