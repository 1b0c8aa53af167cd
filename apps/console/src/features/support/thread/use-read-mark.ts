import { markTicketRead, type TicketDetail, type TicketMessage } from '@slipway/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { showRead } from '../ticket-queries.ts'
import { messageElement } from './message-element.ts'

/** What is under the navigation, or peeps in at the lower edge, nobody has seen. */
const rootMargin = '-112px 0px -32px'

/**
 * Tells the server that the newest reply has been seen: once it stands in the window, and that in a tab that
 * is looked at. A call that fails is made again when the ticket has been `refreshed`, in milliseconds.
 */
export function useReadMark(
  { id, unread }: TicketDetail,
  reply: TicketMessage | undefined,
  refreshed: number,
) {
  const queryClient = useQueryClient()
  const replyId = reply?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: `refreshed` starts it anew
  useEffect(() => {
    const element = unread && replyId && messageElement(replyId)
    if (!element) return
    let isThere = false
    let told = false

    function tell() {
      if (told || !isThere || document.visibilityState !== 'visible' || !replyId) return
      told = true
      call(markTicketRead, { params: { id }, body: { messageId: replyId } }).then(
        () => showRead(queryClient, id),
        // The mark stays, and is seen to when the ticket is next refreshed.
        () => undefined,
      )
    }

    const observer = new IntersectionObserver(
      (entries) => {
        isThere = entries.at(-1)?.isIntersecting ?? false
        tell()
      },
      { rootMargin },
    )
    observer.observe(element)
    document.addEventListener('visibilitychange', tell)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', tell)
    }
  }, [id, unread, replyId, refreshed, queryClient])
}
