import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useProfile } from '../../../shell/session/account-context.ts'
import { lastTurn } from './message-days.ts'
import { messageElement } from './message-element.ts'

/** As much of a reply as somebody wants to have read out while they do something else. */
const announcedLength = 300

const isInView = (element: HTMLElement) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Shows the end of the page, or where a message begins that the window is too small for. */
function scrollToEnd(from: TicketMessage, end: HTMLElement | null) {
  const element = messageElement(from.id)
  if (!element) return
  end?.scrollIntoView({ block: 'end' })
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop)
  if (element.getBoundingClientRect().top < margin) element.scrollIntoView({ block: 'start' })
}

/** Whether the end of the thread could be seen when the page was last drawn. */
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

/** True once the message stands in the window. */
function useOnceSeen(id: TicketMessageId | undefined, onSeen: () => void) {
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
 * What happens when messages come while a thread is open: whoever is at its end is taken along, and so is
 * whoever sent one; whoever reads further up stays there, and gets `waiting`, the first reply that they have
 * not seen, with `showWaiting` to go to it. `news` is for a screen reader. `thread` is the end of the
 * thread, `page` that of the page.
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
  useOnceSeen(waiting?.id, () => setWaiting(undefined))

  useLayoutEffect(() => {
    const before = known.current
    known.current = new Set(messages.map(({ id }) => id))
    if (before === null) return startAt(lastTurn(messages), ends.page)

    // What stands above all that was known are older messages, which were asked for.
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

/** Whoever opens a long thread goes on where it ends. */
function startAt(message: TicketMessage | undefined, end: RefObject<HTMLElement | null>) {
  // After the router, which begins each page at its top.
  const frame = requestAnimationFrame(() => {
    const element = message && messageElement(message.id)
    if (element && !isInView(element)) scrollToEnd(message, end.current)
  })
  return () => cancelAnimationFrame(frame)
}
