import type { TicketDetail, TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import ArrowDown from 'lucide-react/icons/arrow-down'
import { createRef, useState } from 'react'
import { visibleData } from '../../api/missing.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { useParam } from '../../shell/navigation/route-params.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { ShortId } from '../../shell/page/short-id.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { RelativeTime } from '../../shell/time/time.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MissingState } from '../../ui/states.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { MarkResolved } from './mark-resolved.tsx'
import { TicketThread, TicketThreadSkeleton } from './thread/ticket-thread.tsx'
import { useNewMessages } from './thread/use-new-messages.ts'
import { useReadMark } from './thread/use-read-mark.ts'
import { useThread } from './thread/use-thread.ts'
import { useTicket } from './ticket-queries.ts'
import { TicketReply } from './ticket-reply.tsx'
import { TicketStateBadge } from './ticket-state-badge.tsx'

const TicketMissing = ({ id }: { id: TicketId }) => (
  <MissingState
    title={m.support_missing({ id })}
    action={<ButtonLink to={paths.tickets()}>{m.support_show_all()}</ButtonLink>}
  >
    {m.support_missing_hint()}
  </MissingState>
)

const HeadingSkeleton = () => (
  <>
    <Skeleton className="w-56" height="h-5" />
    <VisuallyHidden>{m.support_ticket()}</VisuallyHidden>
  </>
)

const StateLine = ({ ticket: { id, subject, state, updatedAt } }: { ticket: TicketDetail }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <VisuallyHidden>{m.support_state()}: </VisuallyHidden>
    <TicketStateBadge state={state} />
    <span>
      {m.support_last_update()} <RelativeTime value={updatedAt} />
    </span>
    <ShortId id={id} label={m.support_copy_id({ subject })} />
  </span>
)

/** The thread and the reply form. `fetchedAt` is the time of the last fetch in milliseconds. */
function Conversation({ ticket, fetchedAt }: { ticket: TicketDetail; fetchedAt: number }) {
  const { id: userId } = useProfile()
  const [endRefs] = useState(() => ({
    thread: createRef<HTMLDivElement>(),
    page: createRef<HTMLDivElement>(),
  }))
  const { messages, older } = useThread(ticket)
  const { unseenReply, showUnseenReply, announcement } = useNewMessages(messages, endRefs)
  const replies = messages.filter((message) => message.userId !== userId)
  useReadMark(ticket, replies.at(-1), fetchedAt)
  return (
    <>
      <div>
        <TicketThread messages={messages} older={older} />
        <div ref={endRefs.thread} />
        {unseenReply && (
          <div className="sticky bottom-4 z-10 flex h-0 items-end justify-center">
            <span className="rounded-md elevated">
              <Button variant="primary" icon={ArrowDown} onClick={showUnseenReply}>
                {m.support_new_reply()}
              </Button>
            </span>
          </div>
        )}
      </div>
      <TicketReply ticket={ticket} />
      <span role="status" className="sr-only">
        {announcement}
      </span>
      <div ref={endRefs.page} className="scroll-mb-8" />
    </>
  )
}

function ViewTicket({ id }: { id: TicketId }) {
  const query = useTicket(id)
  const ticket = visibleData(query)
  return (
    <div className="mx-auto max-w-3xl">
      <PageFrame
        title={ticket?.subject}
        heading={query.isPending ? <HeadingSkeleton /> : undefined}
        description={
          ticket ? <StateLine ticket={ticket} /> : query.isPending && <Skeleton className="w-40" />
        }
        actions={ticket && <MarkResolved ticket={ticket} />}
      >
        <QueryView
          query={query}
          item={m.support_item_ticket()}
          loading={<TicketThreadSkeleton />}
          missing={<TicketMissing id={id} />}
        >
          {(loadedTicket) =>
            query.isPlaceholderData ? (
              <TicketThreadSkeleton />
            ) : (
              <Conversation ticket={loadedTicket} fetchedAt={query.dataUpdatedAt} />
            )
          }
        </QueryView>
      </PageFrame>
    </div>
  )
}

export function Page() {
  const id = useParam('ticketId')
  // The key remounts the page, so no state of one ticket reaches another.
  return <ViewTicket key={id} id={id} />
}
