import { limits } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { restoreSiteBackup, type SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import CopyPlus from 'lucide-react/icons/copy-plus'
import History from 'lucide-react/icons/history'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { useIsOnPage } from '../../../shell/navigation/is-on-page.ts'
import { useTeams } from '../../../shell/session/account-context.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceCards } from '../../../ui/field/choice-cards.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { ProjectPrice } from '../create/project-price.tsx'
import { cacheProject } from '../project-queries.ts'
import { showProjectToast } from '../project-toasts.ts'
import { addNewSite } from '../site/new-sites.ts'
import { backupsQuery } from './backup-queries.ts'
import { backupTime } from './backup-texts.ts'

const targets = () => [
  {
    value: 'inPlace' as const,
    label: m.backups_restore_in_place(),
    description: m.backups_restore_in_place_hint(),
    icon: History,
  },
  {
    value: 'newProject' as const,
    label: m.backups_restore_new(),
    description: m.backups_restore_new_hint(),
    icon: CopyPlus,
  },
]
type Target = ReturnType<typeof targets>[number]['value']

/** The name of the restored project. A long one is truncated. */
function restoredName(name: string) {
  const { length } = m.backups_restore_name({ name: '' })
  return m.backups_restore_name({ name: name.slice(0, limits.nameMax - length).trimEnd() })
}

function RestoreForm({
  project,
  backup,
  onClose,
}: {
  project: Project
  backup: SiteBackup
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isOnPage = useIsOnPage()
  const team = useTeams().find(({ id }) => id === project.teamId)
  const [target, setTarget] = useState<Target>('inPlace')
  // A key for each target: it finds the result of an earlier attempt whose response was lost.
  const [idempotencyKeys] = useState<Record<Target, string>>(() => ({
    inPlace: newIdempotencyKey(),
    newProject: newIdempotencyKey(),
  }))
  const form = useForm({
    schema: restoreSiteBackup.body,
    initial: { backupId: backup.id, newProjectName: null },
    async submit(body) {
      const idempotencyKey = idempotencyKeys[target]
      const params = { id: project.id }
      const restored = await call(restoreSiteBackup, { params, body, idempotencyKey })
      cacheProject(queryClient, restored)
      if (target === 'newProject') {
        addNewSite(restored.id)
        showProjectToast(queryClient, 'creation', restored)
        if (isOnPage()) await navigate({ to: paths.project(restored.key) })
      } else await queryClient.invalidateQueries(backupsQuery(project.id))
      onClose()
    },
  })
  function chooseTarget(chosen: Target) {
    setTarget(chosen)
    form.set('newProjectName', chosen === 'inPlace' ? null : restoredName(project.name))
  }
  return (
    <Form {...form.props}>
      <ChoiceCards
        label={m.backups_restore_to()}
        choices={targets()}
        value={target}
        onChange={chooseTarget}
      />
      {target === 'newProject' && (
        <>
          <TextField
            {...form.field('newProjectName')}
            label={m.projects_name()}
            required
            autoComplete="off"
          />
          <ProjectPrice team={team} />
        </>
      )}
      <DialogActions
        action={form}
        variant={target === 'inPlace' ? 'danger' : 'primary'}
        submit={target === 'inPlace' ? m.backups_restore_confirm() : m.projects_create()}
        onCancel={onClose}
      />
    </Form>
  )
}

/** Restores a backup: in its project, or in a new one. */
export const RestoreDialog = ({
  project,
  backup,
  open,
  onClose,
}: {
  project: Project
  backup: SiteBackup
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    wide
    changed
    title={m.backups_restore_named({ time: backupTime(backup.createdAt) })}
    closeLabel={m.shell_close()}
    onClose={onClose}
  >
    <RestoreForm project={project} backup={backup} onClose={onClose} />
  </Dialog>
)
