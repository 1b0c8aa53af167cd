import { limits } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import {
  createClientSecret,
  deleteClientSecret,
  deleteSignInClient,
  type SignInClient,
} from '@slipway/contract/sign-in-clients'
import { m } from '@slipway/phrases'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../forms/use-action.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { SecretOnce } from '../../../shell/page/secret-once.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button, rowActionsClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { useDialog } from '../../../ui/dialog/use-dialog.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { projectStates } from '../project-states.ts'
import { signInClientsQuery } from './settings-queries.ts'

const ClientDialog = lazyDialog(() =>
  import('./sign-in-client-dialog.tsx').then((module) => module.SignInClientDialog),
)

const ExamplesDialog = lazyDialog(() =>
  import('./sign-in-client-examples-dialog.tsx').then(
    (module) => module.SignInClientExamplesDialog,
  ),
)

/** The customers' own clients of the login provider. */
export function SignInClientsCard({ project }: { project: Project }) {
  const query = useQuery(signInClientsQuery(project.id))
  /** The client that is edited; null for a new one. */
  const editing = useDialog<SignInClient | null>()
  const { isEditable } = projectStates[project.state]
  return (
    <Card
      title={m.clients_title()}
      actions={
        isEditable && <Button onClick={() => editing.openFor(null)}>{m.clients_create()}</Button>
      }
    >
      <p className="mb-4 text-muted">{m.clients_hint()}</p>
      <QueryView
        inCard
        query={{ ...query, data: query.data?.clients }}
        item={m.clients_item_list()}
        loading={<Skeleton className="w-48" height="h-5" />}
        empty={<p className="text-muted">{m.clients_none()}</p>}
      >
        {(clients) => (
          <ul className="-mb-3 divide-y divide-line">
            {clients.map((client) => (
              <ClientItem
                key={client.id}
                project={project}
                client={client}
                issuer={query.data?.issuer ?? ''}
                isEditable={isEditable}
                onEdit={() => editing.openFor(client)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      <ClientDialog
        project={project}
        client={editing.subject ?? null}
        origins={query.data?.origins ?? []}
        open={editing.open}
        onClose={editing.close}
      />
    </Card>
  )
}

function ClientItem({
  project,
  client,
  issuer,
  isEditable,
  onEdit,
}: {
  project: Project
  client: SignInClient
  issuer: string
  isEditable: boolean
  onEdit: () => void
}) {
  const queryClient = useQueryClient()
  const [showsExamples, setShowsExamples] = useState(false)
  const { name, clientId } = client
  const params = { id: project.id, clientId: client.id }
  const refresh = () => queryClient.invalidateQueries(signInClientsQuery(project.id))
  return (
    <li className="grid gap-3 py-3">
      <div className="grid gap-2 sm:flex sm:items-start sm:justify-between sm:gap-4">
        <div className="grid min-w-0 gap-1">
          <h3 className="font-medium wrap-anywhere">{name}</h3>
          <p className="text-muted">
            {client.isPublic ? m.clients_public() : m.clients_confidential()}
          </p>
        </div>
        <div className={rowActionsClass}>
          <Button
            variant="row"
            aria-label={m.clients_examples_named({ name })}
            onClick={() => setShowsExamples(true)}
          >
            {m.clients_examples()}
          </Button>
          {isEditable && (
            <>
              <Button variant="row" aria-label={m.clients_edit_named({ name })} onClick={onEdit}>
                {m.clients_edit()}
              </Button>
              <Removal
                label={m.clients_delete_named({ name })}
                title={m.clients_delete_title({ name })}
                action={m.clients_delete()}
                text={m.clients_delete_text()}
                remove={() => call(deleteSignInClient, { params }).then(refresh)}
              />
            </>
          )}
        </div>
      </div>
      <ExamplesDialog
        client={client}
        issuer={issuer}
        open={showsExamples}
        onClose={() => setShowsExamples(false)}
      />
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
        <Fact label={m.clients_id()}>
          <CopyValue text={clientId} label={m.clients_copy_id()} />
        </Fact>
        <Fact label={m.clients_issuer()}>
          <CopyValue text={issuer} label={m.clients_copy_issuer()} />
        </Fact>
        <Fact label={m.clients_redirects()}>
          {client.redirectUris.map((uri) => (
            <span key={uri} className="block wrap-anywhere">
              {uri}
            </span>
          ))}
        </Fact>
      </dl>
      {client.secrets.map(({ id, hint, lastUsedAt }) => (
        <div key={id} className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-muted">
            {m.clients_secret_ending({ hint })} ·{' '}
            {lastUsedAt ? (
              <>
                {m.clients_secret_last_use()} <RelativeTime value={lastUsedAt} />
              </>
            ) : (
              m.clients_secret_never()
            )}
          </p>
          {isEditable && (
            <span className={rowActionsClass}>
              <Removal
                label={m.clients_secret_revoke_named({ hint })}
                title={m.clients_secret_revoke_title({ hint })}
                action={m.clients_secret_revoke()}
                text={m.clients_secret_revoke_text()}
                remove={() =>
                  call(deleteClientSecret, { params: { ...params, secretId: id } }).then(refresh)
                }
              />
            </span>
          )}
        </div>
      ))}
      {isEditable && !client.isPublic && (
        <NewSecret
          isAllowed={client.secrets.length < limits.secretsPerSignInClient}
          create={async () => {
            const { secret } = await call(createClientSecret, { params })
            void refresh()
            return secret
          }}
        />
      )}
    </li>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0 font-mono">{children}</dd>
  </>
)

/** Creates another secret, and shows it once. */
function NewSecret({ isAllowed, create }: { isAllowed: boolean; create: () => Promise<string> }) {
  const [secret, setSecret] = useState<string | null>(null)
  const action = useAction(async () => setSecret(await create()))
  return (
    <div className="grid gap-2">
      {isAllowed && (
        <div>
          <Button pending={action.pending} onClick={action.run}>
            {m.clients_secret_add()}
          </Button>
        </div>
      )}
      {secret !== null && (
        <SecretOnce
          secret={secret}
          hint={m.clients_secret_once()}
          copyLabel={m.clients_copy_secret()}
        />
      )}
      {action.failure && <Alert kind="failure">{action.failure}</Alert>}
    </div>
  )
}

function Removal({
  label,
  title,
  action: name,
  text,
  remove,
}: {
  label: string
  title: string
  action: string
  text: string
  remove: () => Promise<unknown>
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="row" aria-label={label} onClick={() => setOpen(true)}>
        {name}
      </Button>
      <ActionDialog
        open={open}
        title={title}
        confirm={name}
        // The button that opened it is removed with its subject.
        focusAfter={(isDone) => (isDone ? pageHeading() : null)}
        action={remove}
        onClose={() => setOpen(false)}
      >
        <p>{text}</p>
      </ActionDialog>
    </>
  )
}
