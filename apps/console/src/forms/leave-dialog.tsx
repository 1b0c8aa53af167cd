import { m } from '@slipway/phrases'
import { useRef, useState } from 'react'
import { ConfirmDialogPopup } from '../ui/dialog/confirm-dialog-popup.tsx'

/** Prompts to discard the unsaved input that `labels` name; closed while `labels` is null. */
export function LeaveDialog({
  labels,
  onClose,
  onAnswer,
}: {
  labels: readonly string[] | null
  onClose: () => void
  /** Called after the dialog closed: the page behind an open dialog cannot take the focus. */
  onAnswer: (isLeaving: boolean) => void
}) {
  const isLeaving = useRef(false)
  // The labels stay during the closing transition.
  const [shown, setShown] = useState<readonly string[]>([])
  if (labels && labels !== shown) setShown(labels)
  return (
    <ConfirmDialogPopup
      open={labels !== null}
      title={m.unsaved_title()}
      texts={{ confirm: m.unsaved_leave(), cancel: m.unsaved_stay() }}
      focusAfter={(isDone) => (isDone ? false : null)}
      onConfirm={async () => {
        isLeaving.current = true
        return true
      }}
      onClose={onClose}
      onClosed={() => {
        onAnswer(isLeaving.current)
        isLeaving.current = false
      }}
    >
      {shown.length === 1 ? (
        <p>{m.unsaved_one({ what: shown[0] ?? '' })}</p>
      ) : (
        <>
          <p>{m.unsaved_text()}</p>
          <ul className="grid list-disc gap-1 pl-5 text-fg">
            {shown.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialogPopup>
  )
}
