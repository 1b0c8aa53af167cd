import { type Project, shownState } from '@slipway/contract/projects'
import { lazy, Suspense, useEffect } from 'react'
import { addNewSite, useIsNewSite } from './new-sites.ts'

const LivePanel = lazy(() => import('./live-panel.tsx'))

/** Shown after a project has become ready for the first time, until the user dismisses it. */
export function FirstLiveNotice({ project, isWatched }: { project: Project; isWatched: boolean }) {
  const shown = shownState(project)
  const isLive = shown === 'ready' || shown === 'not_live'
  const isNew = useIsNewSite(project.id)
  useEffect(() => {
    if (isWatched && isLive) addNewSite(project.id)
  }, [isWatched, isLive, project.id])
  if (!isNew || !isLive) return null
  return (
    // As high as the panel, so that nothing moves when its code has loaded.
    <Suspense fallback={<div className="h-62 sm:h-37" />}>
      <LivePanel project={project} />
    </Suspense>
  )
}
