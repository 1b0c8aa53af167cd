import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../api/live-updates.ts'
import { projectsQuery } from '../../api/queries.ts'

/**
 * The mark of `public/favicon.svg` with a red dot. In the program and not beside it: without the network,
 * which is when it is wanted, no file of the server's can be had.
 */
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2a52d1"/><path d="M6 22.5 26 17M8.5 16.5h15l-3-6.5h-9z" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/><circle cx="25" cy="7" r="8" fill="#fff"/><circle cx="25" cy="7" r="6" fill="#d92d3a"/></svg>`

/** True from when live updates stop until they come again, whatever is tried in between. */
function useIsDisconnected() {
  const state = useConnectionState()
  const [held, setHeld] = useState(false)
  const next = state === 'connecting' ? held : state === 'disconnected'
  if (next !== held) setHeld(next)
  return next
}

/** Whether a project could not be created, as far as is known: nothing is asked for to find out. */
function useHasFailedProject() {
  const { data } = useQuery({
    ...projectsQuery,
    enabled: false,
    select: (projects) => projects.some(({ state }) => state === 'failed_creating'),
  })
  return data === true
}

/** Puts a red dot on the icon of the tab while something needs looking at. */
export function useAlertFavicon() {
  const isDisconnected = useIsDisconnected()
  const hasFailedProject = useHasFailedProject()
  const isTrouble = isDisconnected || hasFailedProject
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || !isTrouble) return
    const usual = icon.href
    icon.href = `data:image/svg+xml,${encodeURIComponent(mark)}`
    return () => {
      icon.href = usual
    }
  }, [isTrouble])
}
