import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../api/live-updates.ts'
import { projectsQuery } from '../../api/queries.ts'

/**
 * `public/favicon.svg` with a red dot. Part of the bundle, as it must work without the network.
 */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2a52d1"/><path d="M6 22.5 26 17M8.5 16.5h15l-3-6.5h-9z" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/><circle cx="25" cy="7" r="8" fill="#fff"/><circle cx="25" cy="7" r="6" fill="#d92d3a"/></svg>`

/** True from a lost connection until the next one, also while connecting. */
function useIsDisconnected() {
  const state = useConnectionState()
  const [wasDisconnected, setWasDisconnected] = useState(false)
  const isDisconnected = state === 'connecting' ? wasDisconnected : state === 'disconnected'
  if (isDisconnected !== wasDisconnected) setWasDisconnected(isDisconnected)
  return isDisconnected
}

/** True if a loaded project failed to be created; requests nothing. */
function useHasFailedProject() {
  const { data } = useQuery({
    ...projectsQuery,
    enabled: false,
    select: (projects) => projects.some(({ state }) => state === 'failed_creating'),
  })
  return data === true
}

/** Shows a red dot on the tab's icon while disconnected or while a project has failed. */
export function useAlertFavicon() {
  const isDisconnected = useIsDisconnected()
  const hasFailedProject = useHasFailedProject()
  const isAlert = isDisconnected || hasFailedProject
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link || !isAlert) return
    const defaultIcon = link.href
    link.href = `data:image/svg+xml,${encodeURIComponent(icon)}`
    return () => {
      link.href = defaultIcon
    }
  }, [isAlert])
}
