import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useRef } from 'react'
import { useReleases } from './release-queries.ts'

/**
 * The outcome of the newest release while the page is open, as a text for screen readers; a failure
 * is an alert already.
 */
export function useReleaseNews({ id, power }: Project): string {
  const { data } = useReleases(id)
  const newest = data?.items[0]
  const current = newest ? `${newest.number} ${newest.state}` : ''
  const first = useRef<string | null>(null)
  if (data && first.current === null) first.current = current
  if (!newest || first.current === current) return ''
  const { number } = newest
  if (newest.state === 'checking') return m.release_checking({ number })
  if (newest.state !== 'live') return ''
  return power === 'running' ? m.release_live_now({ number }) : m.release_deployed({ number })
}

export const ReleaseNews = ({ project }: { project: Project }) => (
  <p role="status" className="sr-only">
    {useReleaseNews(project)}
  </p>
)
