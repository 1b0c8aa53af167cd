import { m } from '@slipway/phrases'
import { useAction } from '../../forms/use-action.ts'
import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/dialog/confirm-dialog.tsx'

/**
 * Runs an action after a confirmation. While it runs the dialog cannot be closed; a failure shows
 * in the dialog until the next attempt or until it closes.
 */
export function ActionDialog({
  confirm,
  cancel = m.shell_cancel(),
  action,
  onFailure,
  onClose,
  ...props
}: Pick<
  ConfirmDialogProps,
  'open' | 'title' | 'children' | 'tone' | 'typed' | 'focusAfter' | 'onClose'
> & {
  confirm: string
  cancel?: string
  /** Rejects when it fails. */
  action: () => Promise<unknown>
  /** Called after a failure, for example to refetch data that other users may have changed. */
  onFailure?: () => void
}) {
  const { run, pending, failure, clear } = useAction(action)

  async function runOnce() {
    const isDone = await run()
    if (!isDone) onFailure?.()
    return isDone
  }

  return (
    <ConfirmDialog
      {...props}
      texts={{ confirm, cancel }}
      pending={pending}
      failure={failure}
      onConfirm={runOnce}
      onClose={() => {
        clear()
        onClose()
      }}
    />
  )
}
