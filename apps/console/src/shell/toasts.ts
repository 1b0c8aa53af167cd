import { limits } from '@slipway/contract/limits'
import type { AlertKind } from '../ui/alert.tsx'

/** A message; it goes away at `expiresAt`, in milliseconds. */
export type Toast = { id: number; kind: AlertKind; title: string; expiresAt: number }

const newExpiry = () => Date.now() + limits.toastLifetime

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a message at the top right for `limits.toastLifetime`, on the pages that have the navigation. */
export function showToast(kind: AlertKind, title: string) {
  set([...toasts, { id: ++lastId, kind, title, expiresAt: newExpiry() }])
}

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
