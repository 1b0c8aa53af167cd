import type { Project } from '@slipway/contract/projects'
import type { SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { backupTime } from './backup-texts.ts'
import { RestoreDialog } from './restore-dialog.tsx'

export function RestoreButton({ project, backup }: { project: Project; backup: SiteBackup }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="row"
        aria-label={m.backups_restore_named({ time: backupTime(backup.createdAt) })}
        icon={ArchiveRestore}
        onClick={() => setOpen(true)}
      >
        <span className="max-sm:hidden">{m.backups_restore()}</span>
      </Button>
      <RestoreDialog project={project} backup={backup} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
