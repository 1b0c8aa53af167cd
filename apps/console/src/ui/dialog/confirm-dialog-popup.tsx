import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'
import { TextField } from '../field/text-field.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import {
  backdropClass,
  contentClass,
  contentStyle,
  popupClass,
  popupStyle,
  viewportClass,
} from './dialog-look.ts'

/** Removes invisible differences: Unicode composition and extra whitespace. */
const normalize = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ')

/** The confirmation dialog, loaded when it first opens. */
export function ConfirmDialogPopup({
  open,
  title,
  children,
  texts,
  tone = 'danger',
  typed,
  pending,
  failure,
  onConfirm,
  onClose,
  onClosed,
  focusAfter = () => null,
}: ConfirmDialogProps & {
  /** Called after the closing transition, once the page behind is interactive again. */
  onClosed?: () => void
}) {
  const cancel = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  const [text, setText] = useState('')
  const [isMismatch, setIsMismatch] = useState(false)
  useEffect(() => {
    if (!open) return
    isDone.current = false
    setText('')
    setIsMismatch(false)
  }, [open])

  async function confirm(event?: FormEvent) {
    event?.preventDefault()
    if (pending) return
    if (typed && normalize(text) !== normalize(typed.expected)) {
      setIsMismatch(true)
      field.current?.focus()
      return
    }
    isDone.current = await onConfirm()
    if (isDone.current) onClose()
  }

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => !next && !pending && onClose()}
      onOpenChangeComplete={(isOpen) => !isOpen && onClosed?.()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className={viewportClass}>
          <AlertDialog.Popup
            initialFocus={typed ? field : cancel}
            finalFocus={() => focusAfter(isDone.current)}
            className={popupClass()}
            style={popupStyle}
          >
            <div className={contentClass} style={contentStyle}>
              <AlertDialog.Title className="pt-6 text-base font-semibold wrap-anywhere">
                {title}
              </AlertDialog.Title>
              <AlertDialog.Description
                render={<div />}
                className="grid gap-2 text-muted wrap-anywhere"
              >
                {children}
              </AlertDialog.Description>
              {typed && (
                <form onSubmit={confirm} noValidate>
                  <TextField
                    ref={field}
                    name="typed"
                    label={typed.label}
                    value={text}
                    error={isMismatch ? typed.error : undefined}
                    onChange={(value) => {
                      setText(value)
                      setIsMismatch(false)
                    }}
                    required
                    autoComplete="off"
                    spellCheck={false}
                  />
                </form>
              )}
              {failure && <Alert kind="failure">{failure}</Alert>}
              <div className="flex flex-wrap justify-end gap-2">
                <Button ref={cancel} disabled={pending} onClick={onClose}>
                  {texts.cancel}
                </Button>
                <Button variant={tone} pending={pending} onClick={() => confirm()}>
                  {texts.confirm}
                </Button>
              </div>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
