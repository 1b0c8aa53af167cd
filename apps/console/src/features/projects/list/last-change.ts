import type { Project } from '@slipway/contract/projects'

/** The project that changed last comes first; equal times keep the order of the response. */
export const byLastChange = <P extends Pick<Project, 'updatedAt'>>(projects: readonly P[]): P[] =>
  projects.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
