import { limits } from '@slipway/contract/limits'
import type { AlertKind } from '../../ui/alert.tsx'

/** `expiresAt` is in milliseconds. */
export type Toast = {
  id: number
  kind: AlertKind
  title: string
  /** The id of the resource it is about; only the newest toast about a resource shows. */
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

/** True if a newer toast is about the same resource, or has the same text. */
const isReplaced = (old: Toast, newer: Toast) =>
  newer.about === undefined
    ? old.kind === newer.kind && old.title === newer.title
    : old.about === newer.about

/**
 * Shows a toast for `limits.toastLifetime` on pages with the navigation and returns its id. It
 * replaces a toast with the same text or about the same resource.
 */
export function showToast(kind: AlertKind, title: string, about?: string) {
  const toast = { id: ++lastId, kind, title, about, expiresAt: newExpiry() }
  set([...toasts.filter((old) => !isReplaced(old, toast)), toast])
  return toast.id
}

/** True while a toast about the resource with that id shows. */
export const hasToastAbout = (about: string) => toasts.some((toast) => toast.about === about)

export const dismissToast = (id: number) => set(toasts.filter((toast) => toast.id !== id))

export const renewToasts = () => set(toasts.map((toast) => ({ ...toast, expiresAt: newExpiry() })))

export const clearToasts = () => set([])

export const currentToasts = () => toasts

export function subscribeToToasts(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
