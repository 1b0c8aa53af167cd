import type { ProjectId } from '@slipway/contract/projects'
import { downloadSiteBackup, type SiteBackup } from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import Download from 'lucide-react/icons/download'
import { call, causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { NetworkError } from '../../../api/network-error.ts'
import { useAction } from '../../../forms/use-action.ts'
import { saveFile } from '../../../shell/page/save-file.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { backupTime } from './backup-texts.ts'

/** The browser may keep the content on its disk. Throws a NetworkError if it is incomplete. */
const readBlob = (content: ReadableStream) =>
  new Response(content).blob().catch((cause: unknown) => {
    throw new NetworkError('network', { cause })
  })

/** Downloads a backup as a tar.gz. A plain link cannot send the session's token. */
export function BackupDownload({
  projectId,
  backup,
}: {
  projectId: ProjectId
  backup: SiteBackup
}) {
  const download = useAction(async () => {
    try {
      const params = { id: projectId, backupId: backup.id }
      const { name, content } = await call(downloadSiteBackup, { params })
      saveFile(name, await readBlob(content))
    } catch (error) {
      if (causesRedirect(error)) return
      showToast('failure', m.backups_download_failed({ message: errorMessage(error) }))
    }
  })
  return (
    <Button
      variant="row"
      aria-label={m.backups_download_named({ time: backupTime(backup.createdAt) })}
      icon={Download}
      pending={download.pending}
      onClick={() => download.run()}
    >
      <span className="max-sm:hidden">{m.backups_download()}</span>
    </Button>
  )
}
