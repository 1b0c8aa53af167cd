import { limits } from '@slipway/contract/limits'
import type { AlertKind } from '../../ui/alert.tsx'

/** A message; it goes away at `expiresAt`, in milliseconds. */
export type Toast = {
  id: number
  kind: AlertKind
  title: string
  /** The id of the thing that it is about; of one thing only the newest shows. */
  about: string | undefined
  expiresAt: number
}

const newExpiry = () => Date.now() + limits.toastLifetime

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

/** Whether a message says the same as a newer one, or what has been true of the same thing before. */
const isOutdone = (old: Toast, by: Toast) =>
  by.about === undefined ? old.kind === by.kind && old.title === by.title : old.about === by.about

/**
 * Shows a message at the top right for `limits.toastLifetime`, on the pages that have the navigation; gives
 * its id. One that says the same, or that is about the same thing, makes room for it.
 */
export function showToast(kind: AlertKind, title: string, about?: string) {
  const toast = { id: ++lastId, kind, title, about, expiresAt: newExpiry() }
  set([...toasts.filter((old) => !isOutdone(old, toast)), toast])
  return toast.id
}

/** Whether a message shows that is about the thing of that id. */
export const hasToastAbout = (about: string) => toasts.some((toast) => toast.about === about)

export const dismissToast = (id: number) => set(toasts.filter((toast) => toast.id !== id))

/** Lets those that show last as long again: somebody has looked at them until now. */
export const renewToasts = () => set(toasts.map((toast) => ({ ...toast, expiresAt: newExpiry() })))

export const clearToasts = () => set([])

export const currentToasts = () => toasts

export function subscribeToToasts(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
