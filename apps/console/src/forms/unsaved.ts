import { sessionToken } from '../api/session.ts'

/** What would be lost by leaving the page: what each form that was changed is called. */
const held = new Map<string, { what: string; token: string | null }>()
const listeners = new Set<() => void>()

/** The same list until something changes, as React wants it. */
let current: readonly string[] = []

function announce() {
  current = [...held.values()].map(({ what }) => what)
  for (const listener of listeners) listener()
}

export const currentUnsaved = () => current

export function subscribeToUnsaved(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** From now on something typed would be lost, until what this gives is called. */
export function markUnsaved(key: string, what: string) {
  held.set(key, { what, token: sessionToken() })
  announce()
  return () => {
    held.delete(key)
    announce()
  }
}

/** It may go: whoever left has said so. */
function dropUnsaved() {
  held.clear()
  announce()
}

/** Whether something would be lost that could still be saved: not once the session that typed it is over. */
export const hasUnsaved = () => [...held.values()].some(({ token }) => token === sessionToken())

/** Asks about what would be lost; resolves to whether it may be. */
type Ask = (what: readonly string[]) => Promise<boolean>
let ask: Ask | null = null

/** Who asks; the shell does. Without one nothing is asked. */
export function setLeavePrompt(next: Ask | null) {
  ask = next
}

/** Resolves to whether the page may be left: at once where nothing would be lost by it. */
export async function confirmLeave() {
  if (!ask || !hasUnsaved()) return true
  const isLeaving = await ask(current)
  if (isLeaving) dropUnsaved()
  return isLeaving
}
