import { useEffect, useId, useState } from 'react'
import { markUnsaved } from './unsaved.ts'

/**
 * Prompts before the user leaves the page while `isChanged`; `label` names the unsaved input. Forms
 * that store a draft do not need it.
 */
export function useUnsaved(label: string, isChanged: boolean) {
  const key = useId()
  useEffect(() => (isChanged ? markUnsaved(key, label) : undefined), [key, label, isChanged])
}

/**
 * `useUnsaved` for a form, which is changed once a value differs from its initial one. A pending
 * submission does not count: its response may navigate away.
 */
export function useUnsavedForm(
  label: string,
  { values, pending }: { values: Record<string, unknown>; pending: boolean },
) {
  const [initial] = useState(values)
  const isChanged =
    !pending &&
    Object.entries(values).some(([name, value]) => (value ?? '') !== (initial[name] ?? ''))
  useUnsaved(label, isChanged)
  return isChanged
}
