import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from '../on-demand.ts'

export type DialogProps = {
  open: boolean
  title: string
  /** Names the button that closes the dialog on a phone. */
  closeLabel: string
  children: ReactNode
  /** Running: the dialog cannot be closed. */
  pending?: boolean
  /** Has unsaved input: a click outside, which may be a slip, does not close the dialog. */
  changed?: boolean
  /** A wider dialog, such as for the lines of a log. */
  wide?: boolean
  onClose: () => void
}

const loadPopup = () => import('./dialog-popup.tsx')

/**
 * A form over the page, on a phone a sheet. The focus starts in its first field and is restored
 * after closing. Escape closes it, and so does a click outside unless it is `changed`.
 */
export function Dialog(props: DialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.preload()
  }, [props.open, popup.preload])
  return popup.part && <popup.part.DialogPopup {...props} />
}
