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

const loadQuestion = () => import('./leave-question.tsx')

/** The browser's own question, for when ours cannot be had. */
const askPlainly = (what: readonly string[]) =>
  confirm([m.unsaved_title(), m.unsaved_text(), ...what].join('\n'))

/** Keeps the answer to a question until it is given; a question that follows answers the one before with no. */
function useQuestion() {
  const question = useOnDemand(loadQuestion)
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const answer = useRef<(isLeaving: boolean) => void>(undefined)
  const close = () => setAsked(null)
  const answerWith = (isLeaving: boolean) => {
    answer.current?.(isLeaving)
    answer.current = undefined
    close()
  }
  const ask = (what: readonly string[]) => {
    answerWith(false)
    setAsked(what)
    question.fetch().then((isThere) => {
      if (!isThere) answerWith(askPlainly(what))
    })
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
    })
  }
  return { question, asked, ask, close, answerWith }
}

/**
 * Asks before a page is left on which something was typed that nobody has saved: by a link, by Back, by
 * logging out; where the whole tab goes, the browser asks.
 */
export function LeaveGuard() {
  const history: RouterHistory = useRouter().history
  const isHeld = useSyncExternalStore(subscribeToUnsaved, currentUnsaved).length > 0
  const { question, asked, ask, close, answerWith } = useQuestion()
  useEffect(() => {
    if (isHeld) question.fetch()
  }, [isHeld, question.fetch])

  useEffect(() => {
    setLeavePrompt(ask)
    return () => setLeavePrompt(null)
  })

  useEffect(() => {
    if (!isHeld) return
    return history.block({
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await confirmLeave()),
      enableBeforeUnload: hasUnsaved,
    })
  }, [isHeld, history])

  return (
    question.part && (
      <question.part.LeaveQuestion what={asked} onClose={close} onAnswer={answerWith} />
    )
  )
}
