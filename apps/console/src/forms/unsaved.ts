import { sessionToken } from '../api/session.ts'

/** The forms with unsaved input: their labels, and the session that typed it. */
const unsavedForms = new Map<string, { label: string; token: string | null }>()
const listeners = new Set<() => void>()

/** The labels of `unsavedForms`; the same array until they change, as React requires. */
let current: readonly string[] = []

function notifyListeners() {
  current = [...unsavedForms.values()].map(({ label }) => label)
  for (const listener of listeners) listener()
}

export const currentUnsaved = () => current

export function subscribeToUnsaved(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Marks a form as unsaved until the returned function is called. */
export function markUnsaved(key: string, label: string) {
  unsavedForms.set(key, { label, token: sessionToken() })
  notifyListeners()
  return () => {
    unsavedForms.delete(key)
    notifyListeners()
  }
}

function discardUnsaved() {
  unsavedForms.clear()
  notifyListeners()
}

/** True while unsaved input can still be saved: an ended session cannot save it. */
export const hasUnsaved = () =>
  [...unsavedForms.values()].some(({ token }) => token === sessionToken())

/** Resolves to whether the user discards the input of the labeled forms. */
type LeavePrompt = (labels: readonly string[]) => Promise<boolean>
let prompt: LeavePrompt | null = null

/** Registers the prompt; without one, `confirmLeave` never prompts. */
export function setLeavePrompt(next: LeavePrompt | null) {
  prompt = next
}

/** Resolves to whether the page may be left; prompts only if there is unsaved input. */
export async function confirmLeave() {
  if (!prompt || !hasUnsaved()) return true
  const isLeaving = await prompt(current)
  if (isLeaving) discardUnsaved()
  return isLeaving
}
