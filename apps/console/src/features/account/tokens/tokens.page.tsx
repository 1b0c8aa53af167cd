import { deletePersonalToken, type PersonalToken } from '@slipway/contract/personal-tokens'
import { m } from '@slipway/phrases'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { personalTokensQuery } from '../../../api/queries.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Button, rowActionsClass } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { RowsSkeleton } from '../../../ui/rows-skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { WithLoginCommand } from './login-command.tsx'

const NewTokenDialog = lazyDialog(() =>
  import('./new-token-dialog.tsx').then((module) => module.NewTokenDialog),
)

function Revoke({ token }: { token: PersonalToken }) {
  const [open, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const { name } = token
  async function revoke() {
    await call(deletePersonalToken, { params: { id: token.id } })
    await queryClient.invalidateQueries(personalTokensQuery)
    showToast('success', m.tokens_revoked({ name }))
  }
  return (
    <>
      <Button
        variant="row"
        aria-label={m.tokens_revoke_named({ name })}
        onClick={() => setOpen(true)}
      >
        {m.tokens_revoke()}
      </Button>
      <ActionDialog
        open={open}
        title={m.tokens_revoke_title({ name })}
        confirm={m.tokens_revoke()}
        focusAfter={(isDone) => (isDone ? pageHeading() : null)}
        action={revoke}
        onClose={() => setOpen(false)}
      >
        <p>{m.tokens_revoke_text()}</p>
      </ActionDialog>
    </>
  )
}

function TokenItem({ token }: { token: PersonalToken }) {
  const { name, projects, lastUse, createdAt, expiresAt } = token
  return (
    <li className="grid gap-2 p-4 sm:flex sm:items-start sm:justify-between sm:gap-4">
      <div className="grid min-w-0 gap-1">
        <h2 className="font-medium wrap-anywhere">{name}</h2>
        <p className="text-muted wrap-anywhere">
          {projects === null
            ? m.tokens_all_projects()
            : projects.map((project) => project.name).join(', ')}
        </p>
        <p className="text-muted">
          {m.tokens_created()} <RelativeTime value={createdAt} /> · {m.tokens_expires()}{' '}
          <RelativeTime value={expiresAt} />
        </p>
        <p className="text-muted wrap-anywhere">
          {lastUse ? (
            <>
              {m.tokens_last_use()} <RelativeTime value={lastUse.time} /> · {lastUse.address}
              {lastUse.client && <> · {lastUse.client}</>}
            </>
          ) : (
            m.tokens_never_used()
          )}
        </p>
      </div>
      <div className={rowActionsClass}>
        <Revoke token={token} />
      </div>
    </li>
  )
}

export function Page() {
  const query = useQuery(personalTokensQuery)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      {m.tokens_create()}
    </Button>
  )
  return (
    <PageFrame tabs={<AccountTabs />}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-60 flex-1 text-muted">{m.tokens_description()}</p>
        {/* The empty state has this button already. */}
        {query.data?.length !== 0 && create}
      </div>
      <QueryView
        query={query}
        item={m.tokens_item_list()}
        loading={<RowsSkeleton />}
        empty={
          <EmptyState title={m.tokens_none()} action={create}>
            <WithLoginCommand text={m.tokens_none_hint} />
          </EmptyState>
        }
      >
        {(tokens) => (
          <ul className="divide-y divide-line rounded-md border border-line bg-surface">
            {tokens.map((token) => (
              <TokenItem key={token.id} token={token} />
            ))}
          </ul>
        )}
      </QueryView>
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} />
    </PageFrame>
  )
}
