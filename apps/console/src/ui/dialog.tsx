import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from './on-demand.ts'

export type DialogProps = {
  open: boolean
  title: string
  children: ReactNode
  /** At work: it cannot be left. */
  pending?: boolean
  onClose: () => void
}

const loadPopup = () => import('./dialog-popup.tsx')

/**
 * A form over the page. The focus starts in its first field and goes back to where it was; Escape and a
 * press outside leave it.
 */
export function Dialog(props: DialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.fetch()
  }, [props.open, popup.fetch])
  return popup.part && <popup.part.DialogPopup {...props} />
}
