import type { TicketMessage } from '@slipway/contract/support'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { groupByDay } from './message-days.ts'
import { TicketMessageView } from './ticket-message.tsx'

type Older = {
  count: number
  show: () => unknown
  pending: boolean
  failure: string | null
}

const OlderMessages = ({ older: { count, show, pending, failure } }: { older: Older }) => (
  <div className="grid justify-items-center gap-2">
    <p className="text-center text-xs text-muted">{m.support_older_messages({ count })}</p>
    <Button pending={pending} onClick={show}>
      {m.support_show_older()}
    </Button>
    {failure && <Alert kind="failure">{failure}</Alert>}
  </div>
)

export const TicketThread = ({
  messages,
  older,
}: {
  messages: readonly TicketMessage[]
  older: Older
}) => (
  // `useThread` keeps the scroll position itself: browsers differ in scroll anchoring.
  <section aria-label={m.support_messages()} className="grid gap-6 [overflow-anchor:none]">
    {older.count > 0 && <OlderMessages older={older} />}
    {groupByDay(messages).map(({ date, messages: dayMessages }) => (
      <div key={date.toDateString()} className="grid gap-4">
        <div className="flex items-center gap-3">
          <span className="h-px flex-1 bg-line" />
          <h2 className="text-xs text-muted">{formatDate(date, getLocale(), 'date')}</h2>
          <span className="h-px flex-1 bg-line" />
        </div>
        <ol className="flex flex-col gap-4">
          {dayMessages.map((message) => (
            <TicketMessageView key={message.id} message={message} />
          ))}
        </ol>
      </div>
    ))}
  </section>
)

export const TicketThreadSkeleton = () => (
  <div className="flex flex-col gap-4" aria-hidden>
    <p className="text-center text-xs">
      <Skeleton className="w-24" />
    </p>
    {['w-3/5 items-end self-end', 'w-4/5 items-start self-start'].map((align) => (
      <div key={align} className={`flex flex-col gap-1 ${align}`}>
        <Skeleton className="w-32" />
        <div className="grid w-full gap-2 rounded-md border border-line p-3">
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </div>
      </div>
    ))}
  </div>
)
