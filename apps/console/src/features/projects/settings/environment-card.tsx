import { changeEnvironment, type Environment } from '@slipway/contract/environment'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Button, rowActionsClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { useDialog } from '../../../ui/dialog/use-dialog.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { projectStates } from '../project-states.ts'
import { environmentQuery } from './settings-queries.ts'

const VariableDialog = lazyDialog(() =>
  import('./variable-dialog.tsx').then((module) => module.VariableDialog),
)
const PasteDialog = lazyDialog(() =>
  import('./paste-dialog.tsx').then((module) => module.PasteDialog),
)

type Variable = Environment['variables'][number]

/** Opens the dialog with an empty name. */
const newVariable = ''

function RemoveDialog({
  project,
  dialog,
}: {
  project: Project
  dialog: ReturnType<typeof useDialog<string>>
}) {
  const queryClient = useQueryClient()
  const name = dialog.subject ?? ''
  async function remove() {
    const changed = await call(changeEnvironment, {
      params: { id: project.id },
      body: { remove: [name] },
    })
    queryClient.setQueryData(environmentQuery(project.id).queryKey, changed)
  }
  return (
    <ActionDialog
      open={dialog.open}
      title={m.environment_remove_title({ name })}
      confirm={m.environment_remove()}
      // The button that opened it is removed with the variable.
      focusAfter={(isDone) => (isDone ? pageHeading() : null)}
      action={remove}
      onClose={dialog.close}
    >
      <p>{m.environment_remove_text()}</p>
    </ActionDialog>
  )
}

/** The environment variables of a site: names, never values. */
export function EnvironmentCard({ project }: { project: Project }) {
  const query = useQuery(environmentQuery(project.id))
  const editDialog = useDialog<string>()
  const removeDialog = useDialog<string>()
  const [isPasteOpen, setPasteOpen] = useState(false)
  const { isEditable } = projectStates[project.state]
  return (
    <Card
      title={m.environment_title()}
      actions={
        isEditable && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setPasteOpen(true)}>{m.environment_paste()}</Button>
            <Button onClick={() => editDialog.openFor(newVariable)}>{m.environment_add()}</Button>
          </div>
        )
      }
    >
      <p className="mb-4 text-muted">
        {project.runtime === 'static' ? m.environment_hint_static() : m.environment_hint()}
      </p>
      <QueryView
        inCard
        query={{ ...query, data: query.data?.variables }}
        item={m.environment_item_list()}
        loading={<Skeleton className="w-48" height="h-5" />}
        empty={<p className="text-muted">{m.environment_none()}</p>}
      >
        {(variables) => (
          <ul className="-mb-3 divide-y divide-line">
            {variables.map((variable) => (
              <VariableItem
                key={variable.name}
                variable={variable}
                isEditable={isEditable}
                onReplace={() => editDialog.openFor(variable.name)}
                onRemove={() => removeDialog.openFor(variable.name)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      <VariableDialog
        project={project}
        name={editDialog.subject ?? newVariable}
        open={editDialog.open}
        onClose={editDialog.close}
      />
      <PasteDialog project={project} open={isPasteOpen} onClose={() => setPasteOpen(false)} />
      <RemoveDialog project={project} dialog={removeDialog} />
    </Card>
  )
}

const VariableItem = ({
  variable: { name, updatedAt },
  isEditable,
  onReplace,
  onRemove,
}: {
  variable: Variable
  isEditable: boolean
  onReplace: () => void
  onRemove: () => void
}) => (
  <li className="grid gap-2 py-3 sm:flex sm:items-center sm:justify-between sm:gap-4">
    <div className="min-w-0">
      <p className="font-mono wrap-anywhere">{name}</p>
      <p className="text-muted">
        {m.environment_changed()} <RelativeTime value={updatedAt} />
      </p>
    </div>
    {isEditable && (
      <div className={rowActionsClass}>
        <Button
          variant="row"
          aria-label={m.environment_replace_named({ name })}
          onClick={onReplace}
        >
          {m.environment_replace()}
        </Button>
        <Button variant="row" aria-label={m.environment_remove_named({ name })} onClick={onRemove}>
          {m.environment_remove()}
        </Button>
      </div>
    )}
  </li>
)
