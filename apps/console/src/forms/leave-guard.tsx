import { m } from '@slipway/phrases'
import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useOnDemand } from '../ui/on-demand.ts'
import {
  confirmLeave,
  currentUnsaved,
  hasUnsaved,
  setLeavePrompt,
  subscribeToUnsaved,
} from './unsaved.ts'

const loadDialog = () => import('./leave-dialog.tsx')

/** The browser's own prompt, if the dialog's chunk cannot be loaded. */
const confirmNatively = (labels: readonly string[]) =>
  confirm([m.unsaved_title(), m.unsaved_text(), ...labels].join('\n'))

/** One prompt at a time: a new one cancels the previous one. */
function useLeavePrompt() {
  const dialog = useOnDemand(loadDialog)
  const [labels, setLabels] = useState<readonly string[] | null>(null)
  const resolvePrompt = useRef<(isLeaving: boolean) => void>(undefined)
  const close = () => setLabels(null)
  const answer = (isLeaving: boolean) => {
    resolvePrompt.current?.(isLeaving)
    resolvePrompt.current = undefined
    close()
  }
  const ask = (labels: readonly string[]) => {
    answer(false)
    setLabels(labels)
    dialog.preload().then((isLoaded) => {
      if (!isLoaded) answer(confirmNatively(labels))
    })
    return new Promise<boolean>((resolve) => {
      resolvePrompt.current = resolve
    })
  }
  return { dialog, labels, ask, close, answer }
}

/**
 * Prompts before the user leaves a page with unsaved input by a link, Back or logging out. When the
 * tab is closed, the browser prompts.
 */
export function LeaveGuard() {
  const history: RouterHistory = useRouter().history
  const isUnsaved = useSyncExternalStore(subscribeToUnsaved, currentUnsaved).length > 0
  const { dialog, labels, ask, close, answer } = useLeavePrompt()
  useEffect(() => {
    if (isUnsaved) dialog.preload()
  }, [isUnsaved, dialog.preload])

  useEffect(() => {
    setLeavePrompt(ask)
    return () => setLeavePrompt(null)
  })

  useEffect(() => {
    if (!isUnsaved) return
    return history.block({
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await confirmLeave()),
      enableBeforeUnload: hasUnsaved,
    })
  }, [isUnsaved, history])

  return (
    dialog.part && <dialog.part.LeaveDialog labels={labels} onClose={close} onAnswer={answer} />
  )
}
