import type { ProjectId } from '@slipway/contract/projects'
import { useSyncExternalStore } from 'react'

/**
 * The sites that this device saw become live, with the next steps that were done here. An entry is
 * there until the user dismisses it.
 */
type NewSites = Record<string, readonly string[]>

const storageKey = 'newSites'

function stored(): NewSites {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as NewSites) : {}
  } catch {
    return {}
  }
}

const listeners = new Set<() => void>()

function change(id: ProjectId, steps: readonly string[] | undefined) {
  const { [id]: _previous, ...others } = stored()
  localStorage.setItem(storageKey, JSON.stringify(steps ? { ...others, [id]: steps } : others))
  for (const listener of listeners) listener()
}

export const addNewSite = (id: ProjectId) => stored()[id] ?? change(id, [])

export const markStepDone = (id: ProjectId, step: string) =>
  change(id, [...new Set([...(stored()[id] ?? []), step])])

export const dismissNewSite = (id: ProjectId) => change(id, undefined)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The steps done on this device for a new site; null for any other site. */
export function useNewSite(id: ProjectId): readonly string[] | null {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(storageKey))
  return text === null ? null : (stored()[id] ?? null)
}
