import { Dialog } from '@base-ui/react/dialog'
import { m } from '@slipway/phrases'
import { useLocale } from '../shell/language/locale.ts'
import { closeOverlay, overlayOpener } from '../shell/shortcuts/open-overlay.ts'
import { PaletteSearch } from './palette-search.tsx'

/**
 * The command palette: finds pages, actions, projects, teams, tickets and invoices. It opens
 * without an animation, because users type at once.
 */
export function Palette({ open }: { open: boolean }) {
  useLocale()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_10_15/0.5)]" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center sm:p-4 sm:pt-[12vh]">
          <Dialog.Popup
            aria-label={m.palette_title()}
            finalFocus={() => overlayOpener() ?? true}
            className="flex h-dvh w-full flex-col bg-raised outline-none sm:h-auto sm:max-h-full sm:max-w-2xl sm:rounded-md sm:border sm:border-line sm:elevated"
          >
            <PaletteSearch />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
