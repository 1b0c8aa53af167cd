import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useProfile } from '../../../shell/session/account-context.ts'
import { firstOfLastTurn } from './last-turn.ts'
import { messageElement } from './message-element.ts'

/** How many characters of a reply are announced. */
const announcedLength = 300

const isInView = (element: HTMLElement) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Scrolls to the end of the page, or to the start of a message that is taller than the window. */
function scrollToEnd(message: TicketMessage, end: HTMLElement | null) {
  const element = messageElement(message.id)
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

function useOnSeen(id: TicketMessageId | undefined, onSeen: () => void) {
  const onSeenRef = useRef(onSeen)
  onSeenRef.current = onSeen
  useEffect(() => {
    const element = id && messageElement(id)
    if (!element) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeenRef.current()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])
}

/**
 * Reacts to new messages while a thread is open. A reader at its end, or one who sent a message, is
 * scrolled to them. For a reader further up, `unseenReply` is the first unseen reply and
 * `showUnseenReply` scrolls to it. `announcement` is for screen readers. `endRefs` are the elements
 * at the end of the thread and of the page.
 */
export function useNewMessages(
  messages: readonly TicketMessage[],
  endRefs: { thread: RefObject<HTMLElement | null>; page: RefObject<HTMLElement | null> },
) {
  const { id: userId } = useProfile()
  const knownIdsRef = useRef<ReadonlySet<TicketMessageId> | null>(null)
  const isAtEnd = useIsAtEnd(endRefs.thread)
  const [unseenReply, setUnseenReply] = useState<TicketMessage | undefined>()
  const [announcement, setAnnouncement] = useState('')
  useOnSeen(unseenReply?.id, () => setUnseenReply(undefined))

  useLayoutEffect(() => {
    const knownIds = knownIdsRef.current
    knownIdsRef.current = new Set(messages.map(({ id }) => id))
    if (knownIds === null) return scrollToLastTurn(firstOfLastTurn(messages), endRefs.page)

    // Messages above all known ones are older ones that the user loaded.
    const start = messages.findIndex(({ id }) => knownIds.has(id))
    const newMessages = messages.slice(Math.max(0, start)).filter(({ id }) => !knownIds.has(id))
    const [first] = newMessages
    if (!first) return undefined
    const reply = newMessages.find((message) => message.userId !== userId)
    setAnnouncement(
      reply
        ? m.support_reply_announcement({ text: reply.text.slice(0, announcedLength) })
        : m.support_sent_announcement(),
    )
    if (isAtEnd.current || !reply) scrollToEnd(first, endRefs.page.current)
    else setUnseenReply((current) => current ?? reply)
    return undefined
  }, [messages, userId, endRefs, isAtEnd])

  function showUnseenReply() {
    const element = unseenReply && messageElement(unseenReply.id)
    element?.scrollIntoView({ block: 'start' })
    element?.focus({ preventScroll: true })
    setUnseenReply(undefined)
  }

  return { unseenReply, showUnseenReply, announcement }
}

/** Scrolls a long thread to its last turn, unless that is in view. */
function scrollToLastTurn(message: TicketMessage | undefined, end: RefObject<HTMLElement | null>) {
  // The router scrolls each page to its top first.
  const frame = requestAnimationFrame(() => {
    const element = message && messageElement(message.id)
    if (element && !isInView(element)) scrollToEnd(message, end.current)
  })
  return () => cancelAnimationFrame(frame)
}
