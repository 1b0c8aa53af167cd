import type { TicketDetail } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dayName } from './clock-time.tsx'
import { daysOf } from './message-days.ts'
import { TicketMessageView } from './ticket-message.tsx'

/** The messages of a ticket, day by day. */
export const TicketThread = ({
  ticket: { messages, olderMessages },
}: {
  ticket: Pick<TicketDetail, 'messages' | 'olderMessages'>
}) => (
  <section aria-label={m.support_messages()} className="grid gap-6">
    {olderMessages > 0 && (
      <p className="text-center text-xs text-muted">
        {m.support_older_messages({ count: olderMessages })}
      </p>
    )}
    {daysOf(messages).map(({ date, messages: ofDay }) => (
      <div key={ofDay[0]?.id} className="grid gap-4">
        <div className="flex items-center gap-3">
          <span className="h-px flex-1 bg-line" />
          <h2 className="text-xs text-muted">{dayName(date)}</h2>
          <span className="h-px flex-1 bg-line" />
        </div>
        <ol className="flex flex-col gap-4">
          {ofDay.map((message) => (
            <TicketMessageView key={message.id} message={message} />
          ))}
        </ol>
      </div>
    ))}
  </section>
)

/** The shape of a thread while it loads. */
export const TicketThreadSkeleton = () => (
  <div className="grid gap-6" aria-hidden>
    <div className="flex flex-col gap-4">
      {['w-3/5 self-end', 'w-4/5 self-start'].map((place) => (
        <div key={place} className={`grid gap-2 rounded-md border border-line p-3 ${place}`}>
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </div>
      ))}
    </div>
  </div>
)
