import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from './on-demand.ts'

export type ConfirmDialogProps = {
  open: boolean
  /** Names what is destroyed. */
  title: string
  children: ReactNode
  texts: { confirm: string; cancel: string }
  /** Red for what destroys something, as most of what is asked about does. */
  tone?: 'danger' | 'primary'
  pending?: boolean
  failure?: ReactNode
  onConfirm: () => void
  onClose: () => void
  /** Where the focus goes after closing; without it, or with null, to where it was. */
  focusAfter?: () => HTMLElement | null
}

const loadPopup = () => import('./confirm-dialog-popup.tsx')

/**
 * Asks before something that cannot be taken back. While it is at work it stays open and cannot be left;
 * a failure shows inside. The focus starts on Cancel and goes back to where it was.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.fetch()
  }, [props.open, popup.fetch])
  return popup.part && <popup.part.ConfirmDialogPopup {...props} />
}
