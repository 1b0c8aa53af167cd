import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from '../on-demand.ts'

export type TypedConfirmation = {
  /** Names the text to type. */
  label: string
  /** Case-sensitive; extra whitespace is ignored. */
  expected: string
  /** Shown for any other text. */
  error: string
}

export type ConfirmDialogProps = {
  open: boolean
  /** Names the resource that is destroyed. */
  title: string
  children: ReactNode
  texts: { confirm: string; cancel: string }
  tone?: 'danger' | 'primary'
  /** A text to type first, for actions that destroy data for good. */
  typed?: TypedConfirmation | undefined
  pending?: boolean
  failure?: ReactNode
  /** Runs the action; resolves to whether it is done. The dialog then closes itself. */
  onConfirm: () => Promise<boolean>
  onClose: () => void
  /**
   * The element to focus after closing. Null, the default, restores the previous focus; false
   * leaves it to the next page. `isDone`: the action was confirmed and is done.
   */
  focusAfter?: (isDone: boolean) => HTMLElement | null | false
}

const loadPopup = () => import('./confirm-dialog-popup.tsx')

/**
 * Confirms an action that cannot be undone. While the action runs the dialog cannot be closed; a
 * failure shows in the dialog. The focus starts on Cancel, or in the field for the typed text.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.preload()
  }, [props.open, popup.preload])
  return popup.part && <popup.part.ConfirmDialogPopup {...props} />
}
