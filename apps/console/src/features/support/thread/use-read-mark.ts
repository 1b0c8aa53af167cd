import { markTicketRead, type TicketDetail, type TicketMessage } from '@slipway/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { cacheTicketRead } from '../ticket-queries.ts'
import { messageElement } from './message-element.ts'

/** Excludes the area under the navigation and the lower edge. */
const rootMargin = '-112px 0px -32px'

/**
 * Marks the newest reply as read once it is visible in a visible tab. A failed call is retried
 * after the next fetch: `fetchedAt` is the time of the last one, in milliseconds.
 */
export function useReadMark(
  { id, unread }: TicketDetail,
  reply: TicketMessage | undefined,
  fetchedAt: number,
) {
  const queryClient = useQueryClient()
  const replyId = reply?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: `fetchedAt` restarts it
  useEffect(() => {
    const element = unread && replyId && messageElement(replyId)
    if (!element) return
    let isVisible = false
    let isReported = false

    function report() {
      if (isReported || !isVisible || document.visibilityState !== 'visible' || !replyId) return
      isReported = true
      call(markTicketRead, { params: { id }, body: { messageId: replyId } }).then(
        () => cacheTicketRead(queryClient, id),
        // The ticket stays unread, and the next refetch retries.
        () => undefined,
      )
    }

    const observer = new IntersectionObserver(
      (entries) => {
        isVisible = entries.at(-1)?.isIntersecting ?? false
        report()
      },
      { rootMargin },
    )
    observer.observe(element)
    document.addEventListener('visibilitychange', report)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', report)
    }
  }, [id, unread, replyId, fetchedAt, queryClient])
}
