import { type ReactNode, useEffect } from 'react'
import { useOnDemand } from '../on-demand.ts'

export type DialogProps = {
  open: boolean
  title: string
  children: ReactNode
  /** At work: it cannot be left. */
  pending?: boolean
  /** Something was typed: a press outside, which happens by mistake, does not throw it away. */
  changed?: boolean
  onClose: () => void
}

const loadPopup = () => import('./dialog-popup.tsx')

/**
 * A form over the page. The focus starts in its first field and goes back to where it was; Escape leaves it,
 * and so does a press outside while nothing was typed.
 */
export function Dialog(props: DialogProps) {
  const popup = useOnDemand(loadPopup)
  useEffect(() => {
    if (props.open) popup.fetch()
  }, [props.open, popup.fetch])
  return popup.part && <popup.part.DialogPopup {...props} />
}
