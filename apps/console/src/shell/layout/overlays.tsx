import { useEffect } from 'react'
import { useOnDemand } from '../../ui/on-demand.ts'
import { closeOverlay, useOverlay } from '../shortcuts/open-overlay.ts'

const loadPalette = () => import('../../palette/palette.tsx')
const loadSheet = () => import('../shortcuts/shortcut-sheet.tsx')

/** Fetches the code of what may lie over the page, for when the browser has nothing else to do. */
export const preloadOverlays = () =>
  Promise.all([
    loadPalette(),
    loadSheet(),
    import('../../ui/menu/menu-popup.tsx'),
    import('../../ui/dialog/confirm-dialog-popup.tsx'),
    import('../../ui/dialog/dialog-popup.tsx'),
    import('../../forms/leave-dialog.tsx'),
  ])

/** What lies over the page. It ends with the session: whoever comes next has not asked for it. */
export function Overlays() {
  const shown = useOverlay()
  const palette = useOnDemand(loadPalette)
  const sheet = useOnDemand(loadSheet)
  useEffect(() => {
    if (shown === 'palette') palette.fetch()
    if (shown === 'shortcuts') sheet.fetch()
  }, [shown, palette.fetch, sheet.fetch])
  useEffect(() => closeOverlay, [])
  return (
    <>
      {palette.part && <palette.part.Palette open={shown === 'palette'} />}
      {sheet.part && <sheet.part.ShortcutSheet open={shown === 'shortcuts'} />}
    </>
  )
}
