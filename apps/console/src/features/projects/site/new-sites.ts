import type { ProjectId } from '@slipway/contract/projects'
import { useSyncExternalStore } from 'react'

const storageKey = 'newSites'

/**
 * The sites that were created or became live on this device, until the user dismisses their
 * message.
 */
function stored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const listeners = new Set<() => void>()

function store(sites: Record<string, unknown>) {
  localStorage.setItem(storageKey, JSON.stringify(sites))
  for (const listener of listeners) listener()
}

export const addNewSite = (id: ProjectId) => store({ ...stored(), [id]: true })

export function dismissNewSite(id: ProjectId) {
  const { [id]: _dismissed, ...others } = stored()
  store(others)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useIsNewSite = (id: ProjectId) => useSyncExternalStore(subscribe, () => id in stored())
