import {
  type ActiveSession,
  endOtherSessions,
  endSession,
} from '@slipway/contract/account-security'
import { ApiError } from '@slipway/contract/client'
import { cityOf, deviceName, getLocale, m } from '@slipway/phrases'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { sessionsQuery } from '../../../api/queries.ts'
import { useAction } from '../../../forms/use-action.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const nameOf = (session: ActiveSession) => deviceName(session, getLocale())

const SessionsSkeleton = () => (
  <div className="grid divide-y divide-line">
    {['w-48', 'w-40'].map((width) => (
      <div key={width} className="grid gap-1 py-3">
        <Skeleton className={width} height="h-5" />
        <Skeleton className="w-32" height="h-5" />
        <Skeleton className="w-64" height="h-5" />
      </div>
    ))}
  </div>
)

/** The sessions of the user, with a button that ends each except the current one. */
export function SessionsCard() {
  return (
    <Card title={m.account_sessions()}>
      <p className="text-muted">{m.account_sessions_text()}</p>
      <QueryView
        inCard
        query={useQuery(sessionsQuery)}
        item={m.account_item_sessions()}
        loading={<SessionsSkeleton />}
      >
        {(sessions) => (
          <>
            <ul className="grid divide-y divide-line">
              {sessions.map((session) => (
                <SessionItem key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && <EndOthers />}
          </>
        )}
      </QueryView>
    </Card>
  )
}

function SessionItem({ session }: { session: ActiveSession }) {
  const { isCurrent, address, timeZone, createdAt, lastUsedAt } = session
  const places = [cityOf(timeZone), address].filter((place) => place !== null)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 gap-1">
        <h3 className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {nameOf(session)}
          {isCurrent && <Badge tone="success">{m.account_session_this()}</Badge>}
        </h3>
        {places.length > 0 && <p className="text-muted wrap-anywhere">{places.join(' · ')}</p>}
        <p className="text-muted">
          {m.account_session_used()} <RelativeTime value={lastUsedAt} /> ·{' '}
          {m.account_session_started()} <RelativeTime value={createdAt} />
        </p>
      </div>
      {!isCurrent && <End session={session} />}
    </li>
  )
}

function End({ session }: { session: ActiveSession }) {
  const queryClient = useQueryClient()
  const name = nameOf(session)
  const action = useAction(async () => {
    try {
      await call(endSession, { params: { id: session.id } })
    } catch (error) {
      // The session ended meanwhile.
      if (!(error instanceof ApiError && error.code === 'item_not_found')) throw error
    }
    await queryClient.invalidateQueries(sessionsQuery)
    showToast('success', m.account_session_ended({ name }))
    pageHeading()?.focus()
  })
  return (
    <div className="-mx-3 grid justify-items-end gap-1">
      <Button
        variant="row"
        aria-label={m.account_session_end_named({ name })}
        pending={action.pending}
        onClick={action.run}
      >
        {m.account_session_end()}
      </Button>
      {action.failure && <p role="alert">{action.failure}</p>}
    </div>
  )
}

function EndOthers() {
  const [open, setOpen] = useState(false)
  const queryClient = useQueryClient()
  async function end() {
    await call(endOtherSessions)
    await queryClient.invalidateQueries(sessionsQuery)
    showToast('success', m.account_sessions_others_ended())
  }
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{m.account_sessions_end_others()}</Button>
      <ActionDialog
        open={open}
        title={m.account_sessions_end_others_title()}
        confirm={m.account_sessions_end_others()}
        focusAfter={(isDone) => (isDone ? pageHeading() : null)}
        action={end}
        onClose={() => setOpen(false)}
      >
        <p>{m.account_sessions_end_others_text()}</p>
      </ActionDialog>
    </div>
  )
}
