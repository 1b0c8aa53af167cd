import { deleteRegistry, type Registry } from '@slipway/contract/registries'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { isMissing } from '../../api/missing.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { RelativeTime } from '../../shell/time/time.tsx'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Button, rowActionsClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyDialog } from '../../ui/dialog/lazy-dialog.tsx'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { registriesQuery } from './registry-queries.ts'

const RegistryDialog = lazyDialog(() =>
  import('./registry-dialog.tsx').then((module) => module.RegistryDialog),
)

function DeleteDialog({
  team,
  dialog,
}: {
  team: Team
  dialog: ReturnType<typeof useDialog<Registry>>
}) {
  const queryClient = useQueryClient()
  if (!dialog.subject) return null
  const { id, host } = dialog.subject
  async function remove() {
    try {
      await call(deleteRegistry, { params: { id: team.id, registryId: id } })
    } catch (error) {
      // Already deleted: the goal is reached.
      if (!isMissing(error)) throw error
    }
    await queryClient.invalidateQueries(registriesQuery(team.id))
    showToast('success', m.teams_registry_deleted_toast({ host }))
  }
  return (
    <ActionDialog
      open={dialog.open}
      title={m.teams_registry_delete_title({ host })}
      confirm={m.teams_registry_delete()}
      // The button that opened it is removed with the registry.
      focusAfter={(isDone) => (isDone ? pageHeading() : null)}
      action={remove}
      onClose={dialog.close}
    >
      <p>{m.teams_registry_delete_text()}</p>
    </ActionDialog>
  )
}

const RegistryItem = ({
  registry: { host, username, setBy, setAt, lastUsedAt },
  editable,
  onReplace,
  onDelete,
}: {
  registry: Registry
  editable: boolean
  onReplace: () => void
  onDelete: () => void
}) => (
  <li className="grid gap-2 py-3 sm:flex sm:items-center sm:justify-between sm:gap-4">
    <div className="min-w-0">
      <p className="wrap-anywhere">
        <span className="font-mono">{host}</span> <span className="text-muted">· {username}</span>
      </p>
      <p className="text-muted wrap-anywhere">
        {m.teams_registry_set()} <RelativeTime value={setAt} />
        {setBy && <> · {setBy.name}</>}
        {' · '}
        {lastUsedAt === null ? (
          m.teams_registry_unused()
        ) : (
          <>
            {m.teams_registry_used()} <RelativeTime value={lastUsedAt} />
          </>
        )}
      </p>
    </div>
    {editable && (
      <div className={rowActionsClass}>
        <Button
          variant="row"
          aria-label={m.teams_registry_replace_named({ host })}
          onClick={onReplace}
        >
          {m.teams_registry_replace()}
        </Button>
        <Button
          variant="row"
          aria-label={m.teams_registry_delete_named({ host })}
          onClick={onDelete}
        >
          {m.teams_registry_delete()}
        </Button>
      </div>
    )}
  </li>
)

/** The registries from which a team's projects pull private images; its owner changes them. */
export default function RegistriesCard({
  team,
  registries,
  editable,
}: {
  team: Team
  registries: Registry[]
  editable: boolean
}) {
  const editing = useDialog<Registry | null>()
  const deletion = useDialog<Registry>()
  return (
    <Card
      title={m.teams_registries()}
      actions={
        editable && <Button onClick={() => editing.openFor(null)}>{m.teams_registry_add()}</Button>
      }
    >
      <p className="mb-4 text-muted">{m.teams_registries_hint()}</p>
      {registries.length === 0 ? (
        <p className="text-muted">{m.teams_registries_none()}</p>
      ) : (
        <ul className="-mb-3 divide-y divide-line">
          {registries.map((registry) => (
            <RegistryItem
              key={registry.id}
              registry={registry}
              editable={editable}
              onReplace={() => editing.openFor(registry)}
              onDelete={() => deletion.openFor(registry)}
            />
          ))}
        </ul>
      )}
      <RegistryDialog
        team={team}
        registry={editing.subject ?? null}
        open={editing.open}
        onClose={editing.close}
      />
      <DeleteDialog team={team} dialog={deletion} />
    </Card>
  )
}
