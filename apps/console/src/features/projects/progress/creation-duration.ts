import type { ProjectProgress } from '@slipway/contract/projects'

/** The duration of a successful creation in milliseconds; null for any other. */
export function creationDuration({ steps }: ProjectProgress) {
  const first = steps[0]?.startedAt
  const last = steps.at(-1)
  if (!first || !last?.finishedAt || last.state !== 'done') return null
  return Date.parse(last.finishedAt) - Date.parse(first)
}
