import { m } from '@slipway/phrases'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { FormActions } from '../ui/field/form.tsx'

/**
 * The end of a form in a dialog: its failure, then Submit and Cancel, which stay visible while a
 * dialog higher than the screen scrolls.
 */
export const DialogActions = ({
  action: { pending, failure },
  submit,
  variant = 'primary',
  onCancel,
}: {
  /** The form or the action whose state the buttons show. */
  action: { pending: boolean; failure: string | null }
  submit: string
  /** `danger` if Submit destroys something. */
  variant?: 'primary' | 'danger'
  onCancel: () => void
}) => (
  <>
    {failure && <Alert kind="failure">{failure}</Alert>}
    <div
      className="sticky bottom-0 z-1 -mx-6 -mt-3 bg-raised px-6 pt-2"
      style={{ marginBottom: 'calc(var(--dialog-end) * -1)', paddingBottom: 'var(--dialog-end)' }}
    >
      <FormActions>
        <Button type="submit" variant={variant} pending={pending}>
          {submit}
        </Button>
        <Button disabled={pending} onClick={onCancel}>
          {m.shell_cancel()}
        </Button>
      </FormActions>
    </div>
  </>
)
