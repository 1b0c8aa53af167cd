import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

/**
 * A part of an outside store, the same one for as long as it is equal. What the router's store asks a
 * package for whose code is twice this, made for React before 18: `vite.config.ts` puts this in its place.
 */
export function useSyncExternalStoreWithSelector<Snapshot, Selection>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => Snapshot,
  _getServerSnapshot: () => Snapshot,
  selector: (snapshot: Snapshot) => Selection,
  isEqual: (one: Selection, other: Selection) => boolean = Object.is,
) {
  const rendered = useRef<{ selection: Selection }>(undefined)
  const select = useMemo(() => {
    let last: { snapshot: Snapshot; selection: Selection } | undefined
    return () => {
      const snapshot = getSnapshot()
      if (last && Object.is(last.snapshot, snapshot)) return last.selection
      const selection = selector(snapshot)
      // With a new selector, too, what was rendered stays where it is still right.
      const held = last ?? rendered.current
      last = {
        snapshot,
        selection: held && isEqual(held.selection, selection) ? held.selection : selection,
      }
      return last.selection
    }
  }, [getSnapshot, selector, isEqual])
  // The router's stores give the same to the build and to the browser.
  const selection = useSyncExternalStore(subscribe, select, select)
  useEffect(() => {
    rendered.current = { selection }
  }, [selection])
  return selection
}
