import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useProfile } from '../../../shell/session/account-context.ts'
import { lastTurn } from './message-days.ts'
import { messageElement } from './message-element.ts'

/** How many characters of a reply are announced. */
const announcedLength = 300

const isInView = (element: HTMLElement) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Scrolls to the end of the page, or to the start of a message that is taller than the window. */
function scrollToEnd(from: TicketMessage, end: HTMLElement | null) {
  const element = messageElement(from.id)
  if (!element) return
  end?.scrollIntoView({ block: 'end' })
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop)
  if (element.getBoundingClientRect().top < margin) element.scrollIntoView({ block: 'start' })
}

/** A ref that is true while the end of the thread is visible. */
function useIsAtEnd(end: RefObject<HTMLElement | null>) {
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver((entries) => {
      isAtEnd.current = entries.at(-1)?.isIntersecting ?? false
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [end])
  return isAtEnd
}

/** Calls `onSeen` once the message is visible. */
function useOnSeen(id: TicketMessageId | undefined, onSeen: () => void) {
  const seen = useRef(onSeen)
  seen.current = onSeen
  useEffect(() => {
    const element = id && messageElement(id)
    if (!element) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])
}

/**
 * Reacts to new messages while a thread is open. A reader at its end, or one who sent a message,
 * is scrolled to them. For a reader further up, `waiting` is the first unseen reply and
 * `showWaiting` scrolls to it. `news` is announced to screen readers. `ends` marks the end of the
 * thread and of the page.
 */
export function useNewMessages(
  messages: readonly TicketMessage[],
  ends: { thread: RefObject<HTMLElement | null>; page: RefObject<HTMLElement | null> },
) {
  const { id: userId } = useProfile()
  const known = useRef<ReadonlySet<TicketMessageId> | null>(null)
  const isAtEnd = useIsAtEnd(ends.thread)
  const [waiting, setWaiting] = useState<TicketMessage | undefined>()
  const [news, setNews] = useState('')
  useOnSeen(waiting?.id, () => setWaiting(undefined))

  useLayoutEffect(() => {
    const before = known.current
    known.current = new Set(messages.map(({ id }) => id))
    if (before === null) return scrollToStart(lastTurn(messages), ends.page)

    // Messages above all known ones are older ones that the user loaded.
    const start = messages.findIndex(({ id }) => before.has(id))
    const fresh = messages.slice(Math.max(0, start)).filter(({ id }) => !before.has(id))
    const [first] = fresh
    if (!first) return undefined
    const reply = fresh.find((message) => message.userId !== userId)
    setNews(
      reply
        ? m.support_reply_announcement({ text: reply.text.slice(0, announcedLength) })
        : m.support_sent_announcement(),
    )
    if (isAtEnd.current || !reply) scrollToEnd(first, ends.page.current)
    else setWaiting((held) => held ?? reply)
    return undefined
  }, [messages, userId, ends, isAtEnd])

  function showWaiting() {
    const element = waiting && messageElement(waiting.id)
    element?.scrollIntoView({ block: 'start' })
    element?.focus({ preventScroll: true })
    setWaiting(undefined)
  }

  return { waiting, showWaiting, news }
}

/** Opens a long thread at its last turn. */
function scrollToStart(message: TicketMessage | undefined, end: RefObject<HTMLElement | null>) {
  // After the router, which scrolls each page to its top.
  const frame = requestAnimationFrame(() => {
    const element = message && messageElement(message.id)
    if (element && !isInView(element)) scrollToEnd(message, end.current)
  })
  return () => cancelAnimationFrame(frame)
}
