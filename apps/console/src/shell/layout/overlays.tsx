import { useEffect } from 'react'
import { useOnDemand } from '../../ui/on-demand.ts'
import { closeOverlay, useOverlay } from '../shortcuts/open-overlay.ts'

const loadPalette = () => import('../../palette/palette.tsx')
const loadSheet = () => import('../shortcuts/shortcut-sheet.tsx')

/** Loads the chunks of everything that opens over the page. */
export const preloadOverlays = () =>
  Promise.all([
    loadPalette(),
    loadSheet(),
    import('../../ui/menu/menu-popup.tsx'),
    import('../../ui/dialog/confirm-dialog-popup.tsx'),
    import('../../ui/dialog/dialog-popup.tsx'),
    import('../../forms/leave-dialog.tsx'),
  ])

/** The overlays of the page; they close when the session ends. */
export function Overlays() {
  const shown = useOverlay()
  const palette = useOnDemand(loadPalette)
  const sheet = useOnDemand(loadSheet)
  useEffect(() => {
    if (shown === 'palette') palette.preload()
    if (shown === 'shortcuts') sheet.preload()
  }, [shown, palette.preload, sheet.preload])
  useEffect(() => closeOverlay, [])
  return (
    <>
      {palette.part && <palette.part.Palette open={shown === 'palette'} />}
      {sheet.part && <sheet.part.ShortcutSheet open={shown === 'shortcuts'} />}
    </>
  )
}
