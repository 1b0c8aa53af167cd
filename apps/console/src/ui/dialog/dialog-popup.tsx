import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { classNames } from '../class-names.ts'
import type { DialogProps } from './dialog.tsx'

export function DialogPopup({
  open,
  title,
  children,
  pending,
  changed,
  wide,
  onClose,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={changed}
      onOpenChange={(next) => !next && !pending && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_10_15/0.5)] transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-40 grid place-items-center overflow-y-auto p-4 scroll-pb-20">
          <Dialog.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>('input, textarea')}
            className={classNames(
              'grid w-full gap-4 rounded-md border border-line bg-raised p-6 elevated transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0',
              wide ? 'max-w-2xl' : 'max-w-md',
            )}
          >
            <Dialog.Title className="text-base font-semibold wrap-anywhere">{title}</Dialog.Title>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
