import { Dialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { IconButton } from '../button.tsx'
import type { DialogProps } from './dialog.tsx'
import {
  backdropClass,
  contentClass,
  contentStyle,
  popupClass,
  popupStyle,
  viewportClass,
} from './dialog-look.ts'

export function DialogPopup({
  open,
  title,
  closeLabel,
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
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Viewport className={viewportClass}>
          <Dialog.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>('input, textarea')}
            className={popupClass(wide)}
            style={popupStyle}
          >
            <div className={contentClass} style={contentStyle}>
              <div className="sticky top-0 z-1 -mx-6 -mb-3 flex items-center justify-between gap-4 bg-raised px-6 pt-6 pb-2">
                <Dialog.Title className="text-base font-semibold wrap-anywhere">
                  {title}
                </Dialog.Title>
                {/* A phone has no Escape key, and hardly any page beside a sheet. */}
                <span className="-my-3 -mr-3 flex sm:hidden">
                  <IconButton icon={X} label={closeLabel} disabled={pending} onClick={onClose} />
                </span>
              </div>
              {children}
            </div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
