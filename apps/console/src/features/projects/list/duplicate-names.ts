import type { Project, ProjectId } from '@slipway/contract/projects'
import { displayName } from '../display-name.ts'

type Named = Pick<Project, 'id' | 'name' | 'key'>

/** Normalizes a name so that names which look alike are equal. */
const normalizedName = (project: Named) =>
  // biome-ignore lint/plugin: used for comparison only
  displayName(project).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')

export function idsWithDuplicateName(projects: readonly Named[]): ReadonlySet<ProjectId> {
  const duplicates = new Set<ProjectId>()
  const firstIds = new Map<string, ProjectId>()
  for (const project of projects) {
    const first = firstIds.get(normalizedName(project))
    if (first === undefined) firstIds.set(normalizedName(project), project.id)
    else duplicates.add(first).add(project.id)
  }
  return duplicates
}
