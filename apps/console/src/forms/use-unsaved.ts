import { useEffect, useId, useState } from 'react'
import { markUnsaved } from './unsaved.ts'

/**
 * Asks before the page is left while `isChanged`: `what` names what would be lost. Not for what keeps a
 * draft by itself.
 */
export function useUnsaved(what: string, isChanged: boolean) {
  const key = useId()
  useEffect(() => (isChanged ? markUnsaved(key, what) : undefined), [key, what, isChanged])
}

/**
 * The same for a form: changed once a field of `form.values` has another value than at first. What was sent
 * is not lost by leaving, and while it is answered the answer leads elsewhere.
 */
export function useUnsavedForm(
  what: string,
  { values, pending }: { values: Record<string, unknown>; pending: boolean },
) {
  const [first] = useState(values)
  const isChanged =
    !pending &&
    Object.entries(values).some(([name, value]) => (value ?? '') !== (first[name] ?? ''))
  useUnsaved(what, isChanged)
  return isChanged
}
