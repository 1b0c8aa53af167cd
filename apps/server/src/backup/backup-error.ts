/** Why a backup or restore cannot run. The message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
