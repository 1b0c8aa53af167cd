import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../api/live-updates.ts'
import { projectsQuery } from '../../api/queries.ts'

/**
 * `public/favicon.svg` with a red dot. Part of the bundle, as it must work without the network.
 */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b75"/><path d="M4 9.3h24c-1 5.3-4 8.5-8.7 8.5H9c-3 0-4.7-3.3-5-8.5z" transform="rotate(19 16 13)" fill="#fff"/><path d="M0 18.5 16 24c3.5 1.2 5-1.5 8-1.5s4.5 1.7 8 1.7a8 8 0 0 1-8 7.8H8a8 8 0 0 1-8-8z" fill="#62cdd6"/><circle cx="25" cy="7" r="8" fill="#fff"/><circle cx="25" cy="7" r="6" fill="#d92d3a"/></svg>`

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
