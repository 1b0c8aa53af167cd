import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useRef } from 'react'
import { useReleases } from './release-queries.ts'

/**
 * What has become of the newest release while the page is open, for screen readers; a failure is an
 * alert already.
 */
export function useReleaseNews(projectId: ProjectId): string {
  const { data } = useReleases(projectId)
  const newest = data?.items[0]
  const current = newest ? `${newest.number} ${newest.state}` : ''
  const first = useRef<string | null>(null)
  if (data && first.current === null) first.current = current
  if (!newest || first.current === current) return ''
  const { number } = newest
  if (newest.state === 'checking') return m.release_checking({ number })
  return newest.state === 'live' ? m.release_live_now({ number }) : ''
}
