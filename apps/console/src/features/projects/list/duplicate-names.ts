import type { Project } from '@slipway/contract/projects'
import { shownName } from '../display-name.ts'

type Named = Pick<Project, 'id' | 'name' | 'key'>

/** How a name looks at a glance: neither case nor the widths of its letters tell two apart. */
const look = (project: Named) =>
  // biome-ignore lint/plugin: compares, and shows nothing
  shownName(project).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')

/** The ids of the projects whose name another one of them has, too. */
export function namesakes(projects: readonly Named[]): ReadonlySet<string> {
  const found = new Set<string>()
  const firstOf = new Map<string, string>()
  for (const project of projects) {
    const first = firstOf.get(look(project))
    if (first === undefined) firstOf.set(look(project), project.id)
    else found.add(first).add(project.id)
  }
  return found
}
