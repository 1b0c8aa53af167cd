import { m } from '@slipway/phrases'
import { useState } from 'react'
import { ConfirmDialogPopup } from '../ui/confirm-dialog-popup.tsx'

/** The question whether to leave; open while there is something that would be lost. */
export function LeaveQuestion({
  what,
  onAnswer,
}: {
  what: readonly string[] | null
  onAnswer: (isLeaving: boolean) => void
}) {
  // Its words stay while it closes.
  const [shown, setShown] = useState<readonly string[]>([])
  if (what && what !== shown) setShown(what)
  return (
    <ConfirmDialogPopup
      open={what !== null}
      title={m.unsaved_title()}
      texts={{ confirm: m.unsaved_leave(), cancel: m.unsaved_stay() }}
      focusAfter={(isLeaving) => (isLeaving ? false : null)}
      onConfirm={async () => {
        onAnswer(true)
        return true
      }}
      onClose={() => onAnswer(false)}
    >
      <p>{m.unsaved_text()}</p>
      <ul className="grid list-disc gap-1 pl-5 text-fg">
        {shown.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialogPopup>
  )
}
