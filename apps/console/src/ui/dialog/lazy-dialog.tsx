import { type ComponentType, useEffect } from 'react'
import { useOnDemand } from '../on-demand.ts'

/** A dialog whose code loads when it first opens. Declare it outside of components. */
export function lazyDialog<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const loadPart = async () => ({ Dialog: await load() })
  return function LazyDialog(props: Props) {
    const { part, preload } = useOnDemand(loadPart)
    useEffect(() => {
      if (props.open) void preload()
    }, [props.open, preload])
    return part && <part.Dialog {...props} />
  }
}
