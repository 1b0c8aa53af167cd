import { m } from '@slipway/phrases'

const labels = new Map<string, () => string>([
  ['cms_version', () => m.projects_meta_cms_version()],
  ['database_version', () => m.projects_meta_database_version()],
  ['runtime_version', () => m.projects_meta_runtime_version()],
  ['region', () => m.projects_meta_region()],
])

/** The label of a metadata key; unknown keys of newer engines are shown unchanged. */
export const metadataLabel = (key: string) => labels.get(key)?.() ?? key
