import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from '../on-demand.ts'

export type TypedConfirmation = {
  /** Says what is to be typed. */
  label: string
  /** Upper and lower case count, spaces around it do not. */
  expected: string
  /** Said of anything else. */
  error: string
}

export type ConfirmDialogProps = {
  open: boolean
  /** Names what is destroyed. */
  title: string
  children: ReactNode
  texts: { confirm: string; cancel: string }
  /** Red for what destroys something, as most of what is asked about does. */
  tone?: 'danger' | 'primary'
  /** What must be typed first, for what cannot be got back at all. */
  typed?: TypedConfirmation | undefined
  pending?: boolean
  failure?: ReactNode
  /** Does it; resolves to true once it is done, and the dialog closes itself. */
  onConfirm: () => Promise<boolean>
  onClose: () => void
  /**
   * Where the focus goes after closing; without it, or with null, to where it was; with false the next page
   * sees to it. `isDone`: it closes because it was confirmed and done, whether the page shows that already or
   * not yet.
   */
  focusAfter?: (isDone: boolean) => HTMLElement | null | false
}

const loadPopup = () => import('./confirm-dialog-popup.tsx')

/**
 * Asks before something that cannot be taken back. While it is at work it stays open and cannot be left;
 * a failure shows inside. The focus starts on Cancel, or where something is to be typed, and goes back to where it was, or to where `focusAfter` says.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.fetch()
  }, [props.open, popup.fetch])
  return popup.part && <popup.part.ConfirmDialogPopup {...props} />
}
