import { m } from '@slipway/phrases'
import { useRef, useState } from 'react'
import { ConfirmDialogPopup } from '../ui/dialog/confirm-dialog-popup.tsx'

/** The question whether to leave; open while there is something that would be lost. */
export function LeaveQuestion({
  what,
  onClose,
  onAnswer,
}: {
  what: readonly string[] | null
  onClose: () => void
  /** Called when the question is gone: a page behind it could not take the focus. */
  onAnswer: (isLeaving: boolean) => void
}) {
  const isLeaving = useRef(false)
  // Its words stay while it closes.
  const [shown, setShown] = useState<readonly string[]>([])
  if (what && what !== shown) setShown(what)
  return (
    <ConfirmDialogPopup
      open={what !== null}
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
            {shown.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialogPopup>
  )
}
