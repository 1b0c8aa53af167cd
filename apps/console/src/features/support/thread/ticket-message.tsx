import type { TicketMessage } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { useProfile } from '../../../shell/session/account-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { ClockTime } from './clock-time.tsx'
import { messageElementId } from './message-element.ts'
import { MessageText } from './message-text.tsx'

const messageClasses = {
  own: { align: 'items-end self-end', bubble: 'border-transparent bg-accent-soft' },
  team: { align: 'items-start self-start', bubble: 'border-line bg-surface' },
}

/** A message: the user's own on the right with their name, the support team's on the left. */
export function TicketMessageView({ message }: { message: TicketMessage }) {
  const profile = useProfile()
  const isOwn = message.userId === profile.id
  const { align, bubble } = messageClasses[isOwn ? 'own' : 'team']
  return (
    <li
      id={messageElementId(message.id)}
      tabIndex={-1}
      className={classNames('flex max-w-[92%] scroll-mt-32 flex-col gap-1 sm:max-w-[85%]', align)}
    >
      <p className="flex items-baseline gap-2 text-xs text-muted">
        <span className="font-medium text-fg wrap-anywhere">
          {!isOwn && (
            <LifeBuoy className="mr-1 inline size-3.5 align-[-0.15em] text-accent" aria-hidden />
          )}
          {isOwn ? profile.name : m.support_team()}
        </span>
        <span className="whitespace-nowrap">
          <ClockTime value={message.createdAt} />
        </span>
      </p>
      <div className={classNames('max-w-full rounded-md border px-3 py-2', bubble)}>
        <MessageText text={message.text} />
      </div>
    </li>
  )
}
